// An LTE cell of 25 resource blocks with two UEs, and one TCP download through the core. Prints the bytes received.
#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/lte-module.h"
#include "ns3/mobility-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"

using namespace ns3;

int
main(int argc, char** argv)
{
    double seconds = 10;
    CommandLine line;
    line.AddValue("seconds", "", seconds);
    line.Parse(argc, argv);
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1400));
    Config::SetDefault("ns3::LteRlcUm::MaxTxBufferSize", UintegerValue(1000000));

    auto lte = CreateObject<LteHelper>();
    auto core = CreateObject<PointToPointEpcHelper>();
    lte->SetEpcHelper(core);
    lte->SetEnbDeviceAttribute("DlBandwidth", UintegerValue(25));
    lte->SetEnbDeviceAttribute("UlBandwidth", UintegerValue(25));
    NodeContainer server(1), enb(1), ues(2);
    InternetStackHelper stack;
    stack.Install(server);
    stack.Install(ues);
    PointToPointHelper wire;
    wire.SetDeviceAttribute("DataRate", StringValue("100Gbps"));
    wire.SetChannelAttribute("Delay", StringValue("10ms"));
    auto wired = wire.Install(core->GetPgwNode(), server.Get(0));
    Ipv4AddressHelper addresses;
    addresses.SetBase("1.0.0.0", "255.0.0.0");
    addresses.Assign(wired);
    Ipv4StaticRoutingHelper routing;
    routing.GetStaticRouting(server.Get(0)->GetObject<Ipv4>())
        ->AddNetworkRouteTo("7.0.0.0", "255.0.0.0", 1);

    MobilityHelper still;
    still.Install(enb);
    still.Install(ues);
    enb.Get(0)->GetObject<MobilityModel>()->SetPosition(Vector(0, 0, 30));
    ues.Get(0)->GetObject<MobilityModel>()->SetPosition(Vector(30, 0, 1.5));
    ues.Get(1)->GetObject<MobilityModel>()->SetPosition(Vector(60, 0, 1.5));
    lte->InstallEnbDevice(enb);
    auto devices = lte->InstallUeDevice(ues);
    auto given = core->AssignUeIpv4Address(devices);
    for (uint32_t i = 0; i < 2; i++)
    {
        routing.GetStaticRouting(ues.Get(i)->GetObject<Ipv4>())
            ->SetDefaultRoute(core->GetUeDefaultGatewayAddress(), 1);
    }
    lte->Attach(devices);

    PacketSinkHelper sink("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), 9));
    auto sinks = sink.Install(ues.Get(0));
    BulkSendHelper bulk("ns3::TcpSocketFactory", InetSocketAddress(given.GetAddress(0), 9));
    bulk.SetAttribute("SendSize", UintegerValue(1400));
    bulk.Install(server.Get(0)).Start(Seconds(1));
    Simulator::Stop(Seconds(seconds));
    Simulator::Run();
    std::cout << "bytes " << DynamicCast<PacketSink>(sinks.Get(0))->GetTotalRx() << "\n";
    Simulator::Destroy();
}
