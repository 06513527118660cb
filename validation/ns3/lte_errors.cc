// What ns-3's LTE error model answers, as CSV: `information` the mutual information per bit by SNR in dB, for QPSK, 16QAM, 64QAM; `curves`
// by curve and the least size in bits of a code block, the information at which half of the blocks fail, and how much more it takes for
// 15.87 % (one standard deviation); `control` by SINR in dB how often the control region is missed; `rates` by MCS and size in bytes the
// code rate that HARQ reckons with; `combined` by MCS, size in bytes and number of transmissions the error rate, with the
// information of each earlier transmission and of the last one.
#include "ns3/lte-mi-error-model.h"
#include "ns3/lte-spectrum-value-helper.h"

#include <cmath>
#include <functional>
#include <iomanip>
#include <iostream>
#include <random>
#include <string>

using namespace ns3;

namespace
{

const std::vector<int> BLOCK{0};
constexpr int BYTES = 100;

SpectrumValue
Flat(double snrDb)
{
    SpectrumValue snr(LteSpectrumValueHelper::GetSpectrumModel(100, 25));
    snr = std::pow(10, snrDb / 10);
    return snr;
}

double
Information(double snrDb, int mcs)
{
    return LteMiErrorModel::Mib(Flat(snrDb), BLOCK, mcs);
}

/// Where `rate`, which falls, goes through `level`.
double
Crossing(double low, double high, double level, const std::function<double(double)>& rate)
{
    for (int i = 0; i < 50; i++)
    {
        const double middle = (low + high) / 2;
        (rate(middle) > level ? low : high) = middle;
    }
    return high;
}

double
Half(int curve, int bits)
{
    return Crossing(-0.5, 2, 0.5, [&](double x) { return LteMiErrorModel::MappingMiBler(x, curve, bits); });
}

void
Curves()
{
    for (int curve = 0; curve < 38; curve++)
    {
        double last = -1;
        for (int bits = 8; bits <= 6144; bits += 8)
        {
            const double half = Half(curve, bits);
            const double one = Crossing(half, half + 2, 0.15865525393, [&](double x) {
                return LteMiErrorModel::MappingMiBler(x, curve, bits);
            });
            if (std::abs(half - last) > 1e-9)
            {
                std::cout << curve << ',' << bits << ',' << half << ',' << one - half << '\n';
                last = half;
            }
        }
    }
}

/// Coded bits of a block that ns-3 stores: whole bytes, in 16 bits.
uint16_t
Stored(int mcs, int bytes)
{
    static const int RATE[] = {8,  10, 11, 15, 19, 24, 30, 37, 44, 51, 30, 33, 37, 42, 48,
                               54, 60, 43, 45, 50, 55, 60, 65, 70, 75, 80, 85, 89, 92};
    return 8 * (bytes * 100 / RATE[mcs]);
}

double
Rate(int mcs, int bytes, double snrDb, int earlier, double information, uint16_t code)
{
    const HarqProcessInfoElement_t element{information, 0, static_cast<uint16_t>(bytes * 8), code};
    const HarqProcessInfoList_t history(earlier, element);
    return LteMiErrorModel::GetTbDecodificationStats(Flat(snrDb), BLOCK, bytes, mcs, history).tbler;
}

/// The code rate, by how much less information of an earlier transmission does if the last one has more.
void
Rates()
{
    for (int mcs = 0; mcs < 29; mcs++)
    {
        const uint16_t code = 3 * BYTES;
        const double low = Crossing(-50, 50, 0.5, [&](double x) { return Rate(mcs, BYTES, -3, 1, x, code); });
        const double high = Crossing(-50, 50, 0.5, [&](double x) { return Rate(mcs, BYTES, 6, 1, x, code); });
        const double coded = code * (low - high) / (Information(6, mcs) - Information(-3, mcs));
        std::cout << mcs << ',' << BYTES << ',' << BYTES * 8 / coded << '\n';
    }
}

void
Combined()
{
    std::mt19937 random(1);
    auto draw = [&](double low, double high) { return low + (high - low) * (random() / 4294967296.0); };
    for (int row = 0; row < 200; row++)
    {
        const int mcs = random() % 29;
        const int most = mcs < 10 ? 800 + 100 * mcs : mcs < 17 ? 3500 : 9422;
        const int bytes = row % 2 ? draw(20, most) : draw(20, most / 4.0);
        const int earlier = 1 + random() % 3;
        const double level = draw(0.05, 0.95);
        const double snr = draw(-6, 15);
        const uint16_t code = Stored(mcs, bytes);
        const double each = Crossing(-4, 4, level, [&](double x) { return Rate(mcs, bytes, snr, earlier, x, code); });
        std::cout << mcs << ',' << bytes << ',' << earlier + 1 << ',' << each << ',' << Information(snr, mcs) << ','
                  << Rate(mcs, bytes, snr, earlier, each, code) << '\n';
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    const std::string what = argc > 1 ? argv[1] : "";
    if (what == "information")
    {
        for (int i = -80; i <= 120; i++)
        {
            const double snr = i * 0.25;
            std::cout << snr << ',' << Information(snr, 0) << ',' << Information(snr, 12) << ',' << Information(snr, 20)
                      << '\n';
        }
    }
    else if (what == "control")
    {
        for (int i = -48; i <= -4; i++)
        {
            std::cout << i * 0.25 << ',' << LteMiErrorModel::GetPcfichPdcchError(Flat(i * 0.25)) << '\n';
        }
    }
    else if (what == "curves")
    {
        Curves();
    }
    else if (what == "combined")
    {
        std::cout << std::setprecision(9);
        Combined();
    }
    else
    {
        Rates();
    }
}
