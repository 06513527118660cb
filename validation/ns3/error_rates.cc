// Error rates as ns-3's models answer: prints model, mode, frame size in bytes, SNR in dB, probability of success.
#include "ns3/core-module.h"
#include "ns3/wifi-module.h"

#include <cmath>
#include <iostream>

using namespace ns3;

namespace
{

Ptr<ErrorRateModel>
Model(const std::string& name)
{
    if (name == "table")
    {
        return CreateObject<TableBasedErrorRateModel>();
    }
    return name == "nist" ? Ptr<ErrorRateModel>(CreateObject<NistErrorRateModel>())
                          : Ptr<ErrorRateModel>(CreateObject<YansErrorRateModel>());
}

WifiTxVector
TxVector(WifiMode mode, uint16_t width, uint8_t streams)
{
    WifiTxVector vector;
    vector.SetMode(mode);
    vector.SetChannelWidth(width);
    vector.SetNss(streams);
    vector.SetGuardInterval(800);
    vector.SetPreambleType(mode.GetModulationClass() == WIFI_MOD_CLASS_HT    ? WIFI_PREAMBLE_HT_MF
                           : mode.GetModulationClass() == WIFI_MOD_CLASS_VHT ? WIFI_PREAMBLE_VHT_SU
                           : mode.GetModulationClass() == WIFI_MOD_CLASS_HE  ? WIFI_PREAMBLE_HE_SU
                                                                             : WIFI_PREAMBLE_LONG);
    return vector;
}

} // namespace

int
main(int argc, char** argv)
{
    std::string model = "table";
    std::string modes = "OfdmRate6Mbps";
    std::string sizes = "1458";
    uint32_t streams = 1;
    uint32_t width = 20;
    bool ldpc = false;
    double from = -10;
    double to = 40;
    double step = 0.5;
    CommandLine line;
    line.AddValue("model", "table, nist or yans", model);
    line.AddValue("modes", "names of modes, with commas", modes);
    line.AddValue("sizes", "bytes, with commas", sizes);
    line.AddValue("streams", "", streams);
    line.AddValue("width", "MHz", width);
    line.AddValue("ldpc", "", ldpc);
    line.AddValue("from", "dB", from);
    line.AddValue("to", "dB", to);
    line.AddValue("step", "dB", step);
    line.Parse(argc, argv);

    // Modes exist from when they are first asked for.
    DsssPhy::GetDsssRate11Mbps();
    OfdmPhy::GetOfdmRate6Mbps();
    for (uint8_t mcs = 0; mcs < 10; mcs++)
    {
        HtPhy::GetHtMcs(mcs);
        VhtPhy::GetVhtMcs(mcs);
    }
    for (uint8_t mcs = 0; mcs < 12; mcs++)
    {
        HePhy::GetHeMcs(mcs);
    }
    auto rates = Model(model);
    std::stringstream names(modes);
    for (std::string name; std::getline(names, name, ',');)
    {
        auto vector = TxVector(WifiMode(name), name[0] == 'D' ? 22 : width, streams);
        vector.SetLdpc(ldpc);
        std::stringstream bytes(sizes);
        for (std::string size; std::getline(bytes, size, ',');)
        {
            for (int k = 0; from + k * step <= to + 1e-9; k++)
            {
                double db = from + k * step;
                double success = rates->GetChunkSuccessRate(vector.GetMode(),
                                                            vector,
                                                            std::pow(10, db / 10),
                                                            8 * std::stoul(size));
                std::cout << model << "," << name << "," << size << "," << db << "," << success
                          << "\n";
            }
        }
    }
}
