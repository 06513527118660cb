// Stations of 802.11 that always have datagrams for the first of them. Prints the payload bytes received of each,
// between two instants.
#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/mobility-module.h"
#include "ns3/network-module.h"
#include "ns3/wifi-module.h"

using namespace ns3;

int
main(int argc, char** argv)
{
    std::string standard = "a";
    std::string mode = "OfdmRate54Mbps";
    std::string modes;
    std::string control = "OfdmRate6Mbps";
    std::string manager = "ConstantRate";
    std::string errors = "Table";
    std::string places = "0;10";
    double speed = 0;
    double offered = 40;
    uint32_t size = 1472;
    uint32_t antennas = 1;
    uint32_t width = 20;
    uint32_t seed = 1;
    uint32_t aggregate = 65535;
    uint32_t buffer = 64;
    uint32_t guard = 0;
    bool tcp = false;
    uint32_t rts = 4692480;
    double lifetime = 0.5;
    double capture = -1;
    double from = 1;
    double stop = 11;
    CommandLine line;
    line.AddValue("standard", "a, b, g, n or ax", standard);
    line.AddValue("mode", "of data, at a constant rate", mode);
    line.AddValue("modes", "of data, of each station, instead of one", modes);
    line.AddValue("control", "mode of RTS", control);
    line.AddValue("manager", "of rates", manager);
    line.AddValue("errors", "Table, Nist or Yans", errors);
    line.AddValue("places", "x of each station, m; the first receives", places);
    line.AddValue("speed", "of the second station, m/s", speed);
    line.AddValue("offered", "Mb/s of each station", offered);
    line.AddValue("size", "payload of a datagram, bytes", size);
    line.AddValue("antennas", "", antennas);
    line.AddValue("width", "MHz", width);
    line.AddValue("seed", "", seed);
    line.AddValue("aggregate", "bytes of the longest A-MPDU, 0: none", aggregate);
    line.AddValue("buffer", "packets of the longest A-MPDU, with standard ax", buffer);
    line.AddValue("guard", "guard interval with standard ax, ns", guard);
    line.AddValue("tcp", "NewReno with windows of 4 MiB, in place of datagrams", tcp);
    line.AddValue("rts", "bytes from which on an RTS goes first", rts);
    line.AddValue("lifetime", "of a packet in the MAC, s", lifetime);
    line.AddValue("capture", "margin of SimpleFrameCaptureModel, dB; below 0: no capture", capture);
    line.AddValue("from", "s", from);
    line.AddValue("stop", "s", stop);
    line.Parse(argc, argv);
    RngSeedManager::SetRun(seed);
    Config::SetDefault("ns3::WifiMacQueue::MaxDelay", TimeValue(Seconds(lifetime)));
    Config::SetDefault("ns3::WifiRemoteStationManager::RtsCtsThreshold", UintegerValue(rts));

    std::vector<Vector> at;
    std::stringstream list(places);
    for (std::string x, y; std::getline(list, x, ';');)
    {
        auto comma = x.find(',');
        at.emplace_back(std::stod(x), comma == std::string::npos ? 0 : std::stod(x.substr(comma + 1)), 0);
    }
    NodeContainer stations(at.size());
    YansWifiPhyHelper phy;
    phy.SetChannel(YansWifiChannelHelper::Default().Create());
    phy.SetErrorRateModel("ns3::" + errors + (errors == "Table" ? "BasedErrorRateModel" : "ErrorRateModel"));
    phy.Set("Antennas", UintegerValue(antennas));
    phy.Set("MaxSupportedTxSpatialStreams", UintegerValue(antennas));
    phy.Set("MaxSupportedRxSpatialStreams", UintegerValue(antennas));
    if (capture >= 0)
    {
        phy.SetFrameCaptureModel("ns3::SimpleFrameCaptureModel", "Margin", DoubleValue(capture));
    }
    WifiHelper wifi;
    wifi.SetStandard(standard == "a"   ? WIFI_STANDARD_80211a
                     : standard == "b" ? WIFI_STANDARD_80211b
                     : standard == "g" ? WIFI_STANDARD_80211g
                     : standard == "n" ? WIFI_STANDARD_80211n
                                       : WIFI_STANDARD_80211ax);
    if (guard > 0)
    {
        Config::SetDefault("ns3::HeConfiguration::GuardInterval", TimeValue(NanoSeconds(guard)));
    }
    Config::SetDefault("ns3::HeConfiguration::MpduBufferSize", UintegerValue(buffer));
    if (tcp)
    {
        Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(size));
        Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(4 << 20));
        Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(4 << 20));
        Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::TcpNewReno"));
    }
    phy.Set("ChannelSettings",
            StringValue("{0, " + std::to_string(width) +
                        (standard == "b" || standard == "g" ? ", BAND_2_4GHZ, 0}" : ", BAND_5GHZ, 0}")));
    WifiMacHelper mac;
    mac.SetType("ns3::AdhocWifiMac", "BE_MaxAmpduSize", UintegerValue(aggregate));
    auto constant = [&](const std::string& data) {
        wifi.SetRemoteStationManager("ns3::ConstantRateWifiManager",
                                     "DataMode", StringValue(data),
                                     "ControlMode", StringValue(control));
    };
    NetDeviceContainer devices;
    std::stringstream each(modes);
    for (uint32_t i = 0; i < at.size(); i++)
    {
        std::string own;
        if (!std::getline(each, own, ';'))
        {
            own = mode;
        }
        if (manager == "ConstantRate")
        {
            constant(own);
        }
        else
        {
            wifi.SetRemoteStationManager("ns3::" + manager + "WifiManager");
        }
        devices.Add(wifi.Install(phy, mac, stations.Get(i)));
    }

    MobilityHelper still;
    still.SetMobilityModel("ns3::ConstantVelocityMobilityModel");
    still.Install(stations);
    for (uint32_t i = 0; i < at.size(); i++)
    {
        auto model = stations.Get(i)->GetObject<ConstantVelocityMobilityModel>();
        model->SetPosition(at[i]);
        model->SetVelocity(Vector(i == 1 ? speed : 0, 0, 0));
    }
    InternetStackHelper stack;
    stack.Install(stations);
    Ipv4AddressHelper addresses;
    addresses.SetBase("10.1.0.0", "255.255.0.0");
    auto given = addresses.Assign(devices);
    NeighborCacheHelper().PopulateNeighborCache();

    std::vector<Ptr<PacketSink>> sinks;
    for (uint32_t i = 1; i < at.size(); i++)
    {
        const auto factory = tcp ? "ns3::TcpSocketFactory" : "ns3::UdpSocketFactory";
        PacketSinkHelper sink(factory, InetSocketAddress(Ipv4Address::GetAny(), 9 + i));
        sinks.push_back(DynamicCast<PacketSink>(sink.Install(stations.Get(0)).Get(0)));
        if (tcp)
        {
            BulkSendHelper source(factory, InetSocketAddress(given.GetAddress(0), 9 + i));
            source.SetAttribute("MaxBytes", UintegerValue(0));
            source.Install(stations.Get(i)).Start(MilliSeconds(10 * i));
            continue;
        }
        OnOffHelper source("ns3::UdpSocketFactory", InetSocketAddress(given.GetAddress(0), 9 + i));
        source.SetConstantRate(DataRate(uint64_t(offered * 1e6)), size);
        source.Install(stations.Get(i)).Start(MilliSeconds(10 * i));
    }
    std::vector<uint64_t> before(sinks.size());
    Simulator::Schedule(Seconds(from), [&]() {
        for (uint32_t i = 0; i < sinks.size(); i++)
        {
            before[i] = sinks[i]->GetTotalRx();
        }
    });
    Simulator::Stop(Seconds(stop));
    Simulator::Run();
    for (uint32_t i = 0; i < sinks.size(); i++)
    {
        std::cout << sinks[i]->GetTotalRx() - before[i] << "\n";
    }
    Simulator::Destroy();
}
