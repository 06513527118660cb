// A station of 802.11 that walks past two access points on one channel, which a CSMA bus joins to a server; both send the other datagrams.
// Prints when the station associates (A), with which access point, and loses that (D); and of each direction (U, D after it) the payload
// bytes received in each second, and the longest time without a datagram: its begin and end.
#include "ns3/applications-module.h"
#include "ns3/bridge-module.h"
#include "ns3/core-module.h"
#include "ns3/csma-module.h"
#include "ns3/internet-module.h"
#include "ns3/mobility-module.h"
#include "ns3/network-module.h"
#include "ns3/wifi-module.h"

using namespace ns3;

struct Way
{
    double last = 0;
    double begin = 0;
    double end = 0;
    std::vector<uint64_t> bins;
};

static std::vector<Mac48Address> g_aps;

static void
Associated(Mac48Address ap)
{
    auto which = std::find(g_aps.begin(), g_aps.end(), ap) - g_aps.begin();
    std::cout << "A " << Simulator::Now().GetSeconds() << " " << which << "\n";
}

static void
Left(Mac48Address)
{
    std::cout << "D " << Simulator::Now().GetSeconds() << "\n";
}

static void
Received(Way* way, Ptr<const Packet> packet, const Address&)
{
    double now = Simulator::Now().GetSeconds();
    if (way->last > 0 && now - way->last > way->end - way->begin)
    {
        way->begin = way->last;
        way->end = now;
    }
    way->last = now;
    auto bin = static_cast<std::size_t>(now);
    if (bin < way->bins.size())
    {
        way->bins[bin] += packet->GetSize();
    }
}

int
main(int argc, char** argv)
{
    double apart = 100;
    double begin = 5;
    double speed = 2;
    double rate = 6;
    double up = 0.4;
    double down = 0.4;
    uint32_t size = 500;
    uint32_t seed = 1;
    uint32_t stop = 45;
    CommandLine line;
    line.AddValue("apart", "distance of the access points, m", apart);
    line.AddValue("begin", "where the station begins, m", begin);
    line.AddValue("speed", "m/s", speed);
    line.AddValue("rate", "of data, Mb/s of 802.11a", rate);
    line.AddValue("up", "Mb/s of the station", up);
    line.AddValue("down", "Mb/s for it", down);
    line.AddValue("size", "payload of a datagram, bytes", size);
    line.AddValue("seed", "", seed);
    line.AddValue("stop", "s", stop);
    line.Parse(argc, argv);
    RngSeedManager::SetRun(seed);
    std::cout.precision(9);

    NodeContainer station(1), aps(2), server(1);
    YansWifiPhyHelper phy;
    phy.SetChannel(YansWifiChannelHelper::Default().Create());
    phy.SetErrorRateModel("ns3::TableBasedErrorRateModel");
    phy.Set("ChannelSettings", StringValue("{36, 20, BAND_5GHZ, 0}"));
    WifiHelper wifi;
    wifi.SetStandard(WIFI_STANDARD_80211a);
    wifi.SetRemoteStationManager("ns3::ConstantRateWifiManager",
                                 "DataMode",
                                 StringValue("OfdmRate" + std::to_string(static_cast<int>(rate)) + "Mbps"),
                                 "ControlMode",
                                 StringValue("OfdmRate6Mbps"));
    Ssid ssid("s");
    WifiMacHelper mac;
    mac.SetType("ns3::StaWifiMac", "Ssid", SsidValue(ssid), "ActiveProbing", BooleanValue(false));
    auto walker = wifi.Install(phy, mac, station);
    mac.SetType("ns3::ApWifiMac", "Ssid", SsidValue(ssid), "EnableBeaconJitter", BooleanValue(true));
    auto air = wifi.Install(phy, mac, aps);

    CsmaHelper csma;
    csma.SetChannelAttribute("DataRate", StringValue("1Gbps"));
    csma.SetChannelAttribute("Delay", TimeValue(NanoSeconds(1)));
    auto wire = csma.Install(NodeContainer(server, aps));
    for (uint32_t i = 0; i < 2; i++)
    {
        BridgeHelper bridge;
        NetDeviceContainer both(air.Get(i));
        both.Add(wire.Get(1 + i));
        bridge.Install(aps.Get(i), both);
        g_aps.push_back(Mac48Address::ConvertFrom(air.Get(i)->GetAddress()));
    }

    MobilityHelper still;
    still.SetMobilityModel("ns3::ConstantVelocityMobilityModel");
    still.Install(NodeContainer(station, aps));
    station.Get(0)->GetObject<ConstantVelocityMobilityModel>()->SetPosition(Vector(begin, 0, 0));
    station.Get(0)->GetObject<ConstantVelocityMobilityModel>()->SetVelocity(Vector(speed, 0, 0));
    aps.Get(0)->GetObject<ConstantVelocityMobilityModel>()->SetPosition(Vector(0, 0, 0));
    aps.Get(1)->GetObject<ConstantVelocityMobilityModel>()->SetPosition(Vector(apart, 0, 0));

    InternetStackHelper stack;
    stack.Install(NodeContainer(station, server));
    Ipv4AddressHelper addresses;
    addresses.SetBase("10.1.0.0", "255.255.0.0");
    auto given = addresses.Assign(NetDeviceContainer(walker.Get(0), wire.Get(0)));

    auto mine = DynamicCast<StaWifiMac>(DynamicCast<WifiNetDevice>(walker.Get(0))->GetMac());
    mine->TraceConnectWithoutContext("Assoc", MakeCallback(&Associated));
    mine->TraceConnectWithoutContext("DeAssoc", MakeCallback(&Left));

    Way ways[2];
    auto flow = [&](Ptr<Node> from, Ptr<Node> to, uint32_t address, double offered, Way* way) {
        way->bins.assign(stop, 0);
        auto bound = InetSocketAddress(given.GetAddress(address), 9);
        PacketSinkHelper sink("ns3::UdpSocketFactory", bound);
        sink.Install(to).Get(0)->TraceConnectWithoutContext("Rx", MakeBoundCallback(&Received, way));
        OnOffHelper source("ns3::UdpSocketFactory", bound);
        source.SetConstantRate(DataRate(static_cast<uint64_t>(offered * 1e6)), size);
        source.Install(from).Start(Seconds(1));
    };
    flow(station.Get(0), server.Get(0), 1, up, &ways[0]);
    flow(server.Get(0), station.Get(0), 0, down, &ways[1]);
    Simulator::Stop(Seconds(stop));
    Simulator::Run();
    for (const auto& way : ways)
    {
        std::cout << "G " << way.begin << " " << way.end << "\nB";
        for (auto bytes : way.bins)
        {
            std::cout << " " << bytes;
        }
        std::cout << "\n";
    }
    Simulator::Destroy();
}
