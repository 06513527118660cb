// What ns-3's LTE error model answers, as CSV: `information` the mutual information per bit by SNR in dB, for QPSK, 16QAM, 64QAM; `curves`
// by curve and the least size in bits of a code block, the information at which half of the blocks fail, and how much more it takes for
// 15.87 % (one standard deviation); `control` by SINR in dB how often the control region is missed; `rates` by MCS the
// code rate that HARQ reckons with, and the curves of 1 to 4 equal transmissions.
#include "ns3/lte-mi-error-model.h"
#include "ns3/lte-spectrum-value-helper.h"

#include <cmath>
#include <functional>
#include <iomanip>
#include <iostream>
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

/// The information of a transmission at which half of the blocks fail after `earlier` others of `code` bits, with as much of it or none.
double
After(int mcs, int earlier, uint16_t code, bool equal)
{
    const double snr = Crossing(-20, 30, 0.5, [&](double x) {
        HarqProcessInfoElement_t element{equal ? Information(x, mcs) : 0, 0, BYTES * 8, code};
        HarqProcessInfoList_t history(earlier, element);
        return LteMiErrorModel::GetTbDecodificationStats(Flat(x), BLOCK, BYTES, mcs, history).tbler;
    });
    return Information(snr, mcs);
}

void
Rates()
{
    for (int mcs = 0; mcs < 29; mcs++)
    {
        const int first = mcs < 10 ? 0 : mcs < 17 ? 13 : 23;
        const int last = mcs < 10 ? 12 : mcs < 17 ? 22 : 37;
        double sum = 0;
        int count = 0;
        for (double rate = 1; rate < 4; rate *= 1.15)
        {
            const uint16_t code = BYTES * 8 / rate;
            const double none = After(mcs, 1, code, false);
            const double same = After(mcs, 1, code, true);
            if (none < 0.85 && none > same)
            {
                sum += code * same / (none - same);
                count++;
            }
        }
        const double code = sum / count;
        std::cout << mcs << ',' << BYTES * 8 / code;
        for (int earlier = 0; earlier < 4; earlier++)
        {
            const double at = After(mcs, earlier, code, true);
            int best = first;
            for (int curve = first; curve <= last; curve++)
            {
                const double off = std::abs(Half(curve, BYTES * 8) - at);
                best = off < std::abs(Half(best, BYTES * 8) - at) ? curve : best;
            }
            std::cout << ',' << best;
        }
        std::cout << '\n';
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
    else
    {
        Rates();
    }
}
