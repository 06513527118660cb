// An 802.11n access point with N stations that walk at random, and a TCP download by each of the first `downloads`.
// Prints the bytes received.
#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/mobility-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/wifi-module.h"

using namespace ns3;

int
main(int argc, char** argv)
{
    uint32_t count = 10;
    uint32_t downloads = 1;
    double seconds = 10;
    CommandLine line;
    line.AddValue("stations", "", count);
    line.AddValue("downloads", "", downloads);
    line.AddValue("seconds", "", seconds);
    line.Parse(argc, argv);
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1448));

    NodeContainer stations(count), point(1), server(1);
    YansWifiPhyHelper phy;
    phy.SetChannel(YansWifiChannelHelper::Default().Create());
    phy.Set("ChannelSettings", StringValue("{0, 20, BAND_5GHZ, 0}"));
    WifiHelper wifi;
    wifi.SetStandard(WIFI_STANDARD_80211n);
    wifi.SetRemoteStationManager("ns3::ConstantRateWifiManager",
                                 "DataMode", StringValue("HtMcs7"),
                                 "ControlMode", StringValue("HtMcs0"));
    Ssid ssid("cell");
    WifiMacHelper mac;
    mac.SetType("ns3::StaWifiMac", "Ssid", SsidValue(ssid), "ActiveProbing", BooleanValue(false));
    auto stationDevices = wifi.Install(phy, mac, stations);
    mac.SetType("ns3::ApWifiMac", "Ssid", SsidValue(ssid));
    auto pointDevice = wifi.Install(phy, mac, point);
    PointToPointHelper wire;
    wire.SetDeviceAttribute("DataRate", StringValue("1Gbps"));
    wire.SetChannelAttribute("Delay", StringValue("1ms"));
    auto wired = wire.Install(server.Get(0), point.Get(0));

    MobilityHelper walk;
    walk.SetPositionAllocator("ns3::GridPositionAllocator",
                              "MinX", DoubleValue(-5), "MinY", DoubleValue(-5),
                              "DeltaX", DoubleValue(1.5), "DeltaY", DoubleValue(1.5),
                              "GridWidth", UintegerValue(7));
    walk.SetMobilityModel("ns3::RandomWalk2dMobilityModel",
                          "Bounds", RectangleValue(Rectangle(-10, 10, -10, 10)));
    walk.Install(stations);
    MobilityHelper still;
    still.Install(point);
    still.Install(server);

    InternetStackHelper stack;
    stack.Install(stations);
    stack.Install(point);
    stack.Install(server);
    Ipv4AddressHelper addresses;
    addresses.SetBase("10.1.0.0", "255.255.0.0");
    addresses.Assign(wired);
    addresses.SetBase("10.2.0.0", "255.255.0.0");
    addresses.Assign(pointDevice);
    auto given = addresses.Assign(stationDevices);
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();

    PacketSinkHelper sink("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), 9));
    auto sinks = sink.Install(stations);
    for (uint32_t i = 0; i < downloads; i++)
    {
        BulkSendHelper bulk("ns3::TcpSocketFactory", InetSocketAddress(given.GetAddress(i), 9));
        bulk.SetAttribute("SendSize", UintegerValue(1448));
        bulk.Install(server.Get(0)).Start(Seconds(1));
    }
    Simulator::Stop(Seconds(seconds));
    Simulator::Run();
    uint64_t received = 0;
    for (uint32_t i = 0; i < downloads; i++)
        received += DynamicCast<PacketSink>(sinks.Get(i))->GetTotalRx();
    std::cout << "bytes " << received << "\n";
    Simulator::Destroy();
}
