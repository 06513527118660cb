// UEs at distances from one eNodeB in ns-3, each with more datagrams than the cell can carry: prints for each UE its payload bytes between two
// instants, its SINR in dB and the MCS that it was sent most.
#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/lte-module.h"
#include "ns3/mobility-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"

#include <cmath>
#include <iostream>
#include <map>
#include <sstream>

using namespace ns3;

namespace
{

std::map<uint16_t, std::map<int, int>> g_schemes;
std::map<uint16_t, double> g_sinr;

void
OnScheduling(DlSchedulingCallbackInfo info)
{
    g_schemes[info.rnti][info.mcsTb1]++;
}

void
OnSinr(uint16_t, uint16_t rnti, double, double sinr, uint8_t)
{
    g_sinr[rnti] = 10 * std::log10(sinr);
}

void
Connect()
{
    Config::ConnectWithoutContext("/NodeList/*/DeviceList/*/ComponentCarrierMap/*/LteEnbMac/DlScheduling",
                                  MakeCallback(&OnScheduling));
    Config::ConnectWithoutContext(
        "/NodeList/*/DeviceList/*/ComponentCarrierMapUe/*/LteUePhy/ReportCurrentCellRsrpSinr",
        MakeCallback(&OnSinr));
}

} // namespace

int
main(int argc, char* argv[])
{
    std::string distances = "1000";
    std::string scheduler = "Pf";
    std::string adaptation = "miesm";
    uint32_t blocks = 25;
    uint32_t size = 1400;
    double offered = 25;
    double from = 1;
    double stop = 5;
    CommandLine line;
    line.AddValue("distances", "metres, by commas", distances);
    line.AddValue("scheduler", "Pf or Rr", scheduler);
    line.AddValue("adaptation", "miesm or piro", adaptation);
    line.AddValue("blocks", "resource blocks", blocks);
    line.AddValue("size", "payload of a datagram, bytes", size);
    line.AddValue("offered", "of each UE with headers, Mb/s", offered);
    line.AddValue("from", "since when bytes count, s", from);
    line.AddValue("stop", "end, s", stop);
    line.Parse(argc, argv);

    std::vector<double> places;
    std::stringstream list(distances);
    for (std::string each; std::getline(list, each, ',');)
    {
        places.push_back(std::stod(each));
    }
    Config::SetDefault("ns3::LteAmc::AmcModel",
                       EnumValue(adaptation == "miesm" ? LteAmc::MiErrorModel : LteAmc::PiroEW2010));
    Config::SetDefault("ns3::LteEnbRrc::EpsBearerToRlcMapping", EnumValue(LteEnbRrc::RLC_UM_ALWAYS));
    Config::SetDefault("ns3::LteRlcUm::MaxTxBufferSize", UintegerValue(1000000));
    auto lte = CreateObject<LteHelper>();
    auto epc = CreateObject<PointToPointEpcHelper>();
    lte->SetEpcHelper(epc);
    lte->SetSchedulerType("ns3::" + scheduler + "FfMacScheduler");
    lte->SetEnbDeviceAttribute("DlBandwidth", UintegerValue(blocks));
    lte->SetEnbDeviceAttribute("UlBandwidth", UintegerValue(blocks));

    NodeContainer host(1);
    NodeContainer enb(1);
    NodeContainer ues(places.size());
    InternetStackHelper internet;
    internet.Install(host);
    internet.Install(ues);
    PointToPointHelper wire;
    wire.SetDeviceAttribute("DataRate", StringValue("100Gb/s"));
    wire.SetChannelAttribute("Delay", StringValue("10ms"));
    Ipv4AddressHelper addresses("1.0.0.0", "255.0.0.0");
    addresses.Assign(wire.Install(epc->GetPgwNode(), host.Get(0)));
    Ipv4StaticRoutingHelper routes;
    routes.GetStaticRouting(host.Get(0)->GetObject<Ipv4>())->AddNetworkRouteTo("7.0.0.0", "255.0.0.0", 1);

    auto positions = CreateObject<ListPositionAllocator>();
    positions->Add(Vector(0, 0, 0));
    for (double place : places)
    {
        positions->Add(Vector(place, 0, 0));
    }
    MobilityHelper mobility;
    mobility.SetPositionAllocator(positions);
    mobility.Install(enb);
    mobility.Install(ues);
    auto cell = lte->InstallEnbDevice(enb);
    auto devices = lte->InstallUeDevice(ues);
    auto to = epc->AssignUeIpv4Address(devices);
    lte->Attach(devices, cell.Get(0));

    std::vector<Ptr<PacketSink>> sinks;
    for (uint32_t i = 0; i < ues.GetN(); i++)
    {
        PacketSinkHelper sink("ns3::UdpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), 5000));
        sinks.push_back(DynamicCast<PacketSink>(sink.Install(ues.Get(i)).Get(0)));
        UdpClientHelper client(to.GetAddress(i), 5000);
        client.SetAttribute("MaxPackets", UintegerValue(1000000000));
        client.SetAttribute("PacketSize", UintegerValue(size));
        client.SetAttribute("Interval", TimeValue(Seconds((size + 28) * 8 / (offered * 1e6))));
        client.Install(host.Get(0)).Start(Seconds(0.5 + 1e-4 * i));
    }
    std::vector<uint64_t> before;
    Simulator::Schedule(Seconds(from), [&] {
        Connect();
        for (const auto& sink : sinks)
        {
            before.push_back(sink->GetTotalRx());
        }
    });
    Simulator::Stop(Seconds(stop));
    Simulator::Run();
    for (uint32_t i = 0; i < ues.GetN(); i++)
    {
        const auto rnti = DynamicCast<LteUeNetDevice>(devices.Get(i))->GetRrc()->GetRnti();
        const auto& schemes = g_schemes[rnti];
        const auto most = std::max_element(schemes.begin(), schemes.end(),
                                           [](auto a, auto b) { return a.second < b.second; });
        std::cout << sinks[i]->GetTotalRx() - before[i] << ' ' << g_sinr[rnti] << ' '
                  << (most == schemes.end() ? -1 : most->first) << '\n';
    }
    Simulator::Destroy();
}
