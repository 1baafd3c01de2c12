// SPDX-License-Identifier: MIT
// The templates of core for the sizes a device would use, so that their machine code exists as an
// object and the tests can check which symbols it needs: nothing that allocates, throws or locks.
#include <heed/core/attention_filter.h>
#include <heed/core/bank_filter.h>
#include <heed/core/fixed_lag_filter.h>
#include <heed/core/gain.h>
#include <heed/core/score_evidence.h>
#include <heed/core/window_correlation.h>

namespace heed::core {

template class AttentionFilter<float, 8>;
template class AttentionFilter<double, 8>;
template class BankFilter<float, 8, 7>;
template class BankFilter<double, 8, 7>;
template class FixedLagFilter<float, 8, 32>;
template class FixedLagFilter<double, 8, 32>;
template class GainRule<float, 8>;
template class GainRule<double, 8>;
template class RingBuffer<float, 32>;
template class RingBuffer<double, 32>;
template class ScoreEvidence<float>;
template class ScoreEvidence<double>;
template class WindowCorrelation<float, 8>;
template class WindowCorrelation<double, 8>;

}  // namespace heed::core
