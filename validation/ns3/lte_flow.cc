// One UE with a TCP or UDP download or upload in an LTE network of ns-3: still in one cell, or on its way from one eNodeB to
// another. Prints its payload bytes, those until an instant, the longest time without any (ms), and how many handovers
// ended.
#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/lte-module.h"
#include "ns3/mobility-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"

#include <cmath>
#include <iostream>

using namespace ns3;

namespace
{

double g_from = 1;
double g_middle = 1e9;
uint64_t g_bytes = 0;
uint64_t g_before = 0;
double g_last = -1;
double g_gap = 0;
int g_handovers = 0;

void
OnReceived(Ptr<const Packet> packet, const Address&)
{
    const double now = Simulator::Now().GetSeconds();
    if (now < g_from)
    {
        return;
    }
    g_bytes += packet->GetSize();
    g_before += now < g_middle ? packet->GetSize() : 0;
    g_gap = g_last < 0 ? 0 : std::max(g_gap, now - g_last);
    g_last = now;
}

void
OnEnd(uint64_t, uint16_t, uint16_t)
{
    g_handovers++;
}

} // namespace

int
main(int argc, char* argv[])
{
    std::string protocol = "tcp";
    std::string rlc = "um";
    uint32_t blocks = 25;
    uint32_t buffer = 1000000;
    uint32_t size = 1400;
    uint32_t sending = 4194304;
    double offered = 12;
    double apart = 0;
    double at = 10;
    double speed = 0;
    double begin = 0.5;
    double stop = 12;
    bool control = true;
    bool up = false;
    uint32_t seed = 1;
    CommandLine line;
    line.AddValue("protocol", "tcp or udp", protocol);
    line.AddValue("rlc", "um or am", rlc);
    line.AddValue("blocks", "resource blocks", blocks);
    line.AddValue("buffer", "of RLC, bytes", buffer);
    line.AddValue("size", "payload of a segment or datagram, bytes", size);
    line.AddValue("sending", "socket buffers, bytes", sending);
    line.AddValue("offered", "by UDP, with headers, Mb/s", offered);
    line.AddValue("apart", "of a second eNodeB, m; 0: there is none", apart);
    line.AddValue("at", "x of the UE at the start, m", at);
    line.AddValue("speed", "of the UE, m/s", speed);
    line.AddValue("begin", "of the flow, s", begin);
    line.AddValue("from", "since when bytes and gaps count, s", g_from);
    line.AddValue("stop", "end, s", stop);
    line.AddValue("middle", "until when bytes count apart, s", g_middle);
    line.AddValue("control", "whether the control region is missed at times", control);
    line.AddValue("up", "whether the UE sends, rather than receives", up);
    line.AddValue("seed", "", seed);
    line.Parse(argc, argv);

    Config::SetDefault("ns3::LteEnbRrc::EpsBearerToRlcMapping",
                       EnumValue(rlc == "um" ? LteEnbRrc::RLC_UM_ALWAYS : LteEnbRrc::RLC_AM_ALWAYS));
    Config::SetDefault("ns3::LteRlcUm::MaxTxBufferSize", UintegerValue(buffer));
    Config::SetDefault("ns3::LteRlcAm::MaxTxBufferSize", UintegerValue(buffer));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(size));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(sending));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(sending));
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::TcpNewReno"));
    Config::SetDefault("ns3::LteSpectrumPhy::CtrlErrorModelEnabled", BooleanValue(control));
    RngSeedManager::SetRun(seed);
    auto lte = CreateObject<LteHelper>();
    auto epc = CreateObject<PointToPointEpcHelper>();
    lte->SetEpcHelper(epc);
    lte->SetEnbDeviceAttribute("DlBandwidth", UintegerValue(blocks));
    lte->SetEnbDeviceAttribute("UlBandwidth", UintegerValue(blocks));
    if (apart > 0)
    {
        lte->SetHandoverAlgorithmType("ns3::A3RsrpHandoverAlgorithm");
    }
    NodeContainer host(1);
    NodeContainer enbs(apart > 0 ? 2 : 1);
    NodeContainer ue(1);
    InternetStackHelper internet;
    internet.Install(host);
    internet.Install(ue);
    PointToPointHelper wire;
    wire.SetDeviceAttribute("DataRate", StringValue("100Gb/s"));
    wire.SetChannelAttribute("Delay", StringValue("10ms"));
    Ipv4AddressHelper addresses("1.0.0.0", "255.0.0.0");
    const auto ends = addresses.Assign(wire.Install(epc->GetPgwNode(), host.Get(0)));
    Ipv4StaticRoutingHelper routes;
    routes.GetStaticRouting(host.Get(0)->GetObject<Ipv4>())->AddNetworkRouteTo("7.0.0.0", "255.0.0.0", 1);

    MobilityHelper mobility;
    mobility.SetMobilityModel("ns3::ConstantVelocityMobilityModel");
    mobility.Install(enbs);
    mobility.Install(ue);
    for (uint32_t i = 0; i < enbs.GetN(); i++)
    {
        enbs.Get(i)->GetObject<MobilityModel>()->SetPosition(Vector(i * apart, 0, 0));
    }
    auto walk = ue.Get(0)->GetObject<ConstantVelocityMobilityModel>();
    walk->SetPosition(Vector(at, 0, 0));
    walk->SetVelocity(Vector(speed, 0, 0));
    auto cells = lte->InstallEnbDevice(enbs);
    auto device = lte->InstallUeDevice(ue);
    const auto address = epc->AssignUeIpv4Address(device).GetAddress(0);
    const auto to = up ? ends.GetAddress(1) : address;
    const auto receiver = up ? host.Get(0) : ue.Get(0);
    const auto sender = up ? ue.Get(0) : host.Get(0);
    routes.GetStaticRouting(ue.Get(0)->GetObject<Ipv4>())->SetDefaultRoute(epc->GetUeDefaultGatewayAddress(), 1);
    lte->Attach(device.Get(0), cells.Get(0));
    if (apart > 0)
    {
        lte->AddX2Interface(enbs);
        Config::ConnectWithoutContext("/NodeList/*/DeviceList/*/LteEnbRrc/HandoverEndOk", MakeCallback(&OnEnd));
    }

    const auto factory = protocol == "tcp" ? "ns3::TcpSocketFactory" : "ns3::UdpSocketFactory";
    PacketSinkHelper sink(factory, InetSocketAddress(Ipv4Address::GetAny(), 5000));
    sink.Install(receiver).Get(0)->TraceConnectWithoutContext("Rx", MakeCallback(&OnReceived));
    if (protocol == "tcp")
    {
        BulkSendHelper bulk(factory, InetSocketAddress(to, 5000));
        bulk.SetAttribute("SendSize", UintegerValue(size));
        bulk.Install(sender).Start(Seconds(begin));
    }
    else
    {
        UdpClientHelper client(to, 5000);
        client.SetAttribute("MaxPackets", UintegerValue(1000000000));
        client.SetAttribute("PacketSize", UintegerValue(size));
        client.SetAttribute("Interval", TimeValue(Seconds((size + 28) * 8 / (offered * 1e6))));
        client.Install(sender).Start(Seconds(begin));
    }
    Simulator::Stop(Seconds(stop));
    Simulator::Run();
    std::cout << g_bytes << ' ' << g_before << ' ' << std::round(1e3 * g_gap) << ' ' << g_handovers << '\n';
    Simulator::Destroy();
}
