// SPDX-License-Identifier: MIT
#include <live/sinks/report_queue.h>

#include <chrono>
#include <utility>

namespace heed::live {
namespace {

// The place was made large enough.
void copy(std::span<const double> from, std::vector<double>& to) { to.assign(from.begin(), from.end()); }

}  // namespace

ReportQueue::ReportQueue(std::size_t places, Index speakers, Seconds patience) : places_(places), patience_(patience) {
  for (Report& place : places_) {
    place.posterior.reserve(static_cast<std::size_t>(speakers));
    place.gains.reserve(static_cast<std::size_t>(speakers));
    place.hindsight.reserve(static_cast<std::size_t>(speakers));
  }
}

template <typename Fill>
void ReportQueue::put_filled(Fill&& fill) {
  {
    std::unique_lock lock(mutex_);
    const auto has_room = [&] { return count_ < places_.size(); };
    stuck_ = stuck_ || !room_.wait_for(lock, std::chrono::duration<double>(patience_.value), has_room);
    if (!has_room()) {
      first_ = (first_ + 1) % places_.size();
      --count_;
      ++dropped_;
    }
    fill(places_[(first_ + count_) % places_.size()]);
    ++count_;
  }
  filled_.notify_one();
}

void ReportQueue::put(const Decision& decision) {
  put_filled([&](Report& report) {
    last_decision_ = decision.decision;
    report.time = decision.end;
    report.decision = decision.decision;
    report.standing = decision.standing;
    report.own_share = decision.own_share;
    report.gave_up = decision.gave_up;
    report.trial = decision.trial;
    copy(decision.posterior, report.posterior);
    copy(decision.gains, report.gains);
    copy(decision.hindsight, report.hindsight);
  });
}

void ReportQueue::put(const Relaxation& relaxation) {
  put_filled([&](Report& report) {
    report.time = relaxation.time;
    report.decision = last_decision_;
    report.standing = relaxation.standing;
    report.own_share.reset();
    report.gave_up = false;
    report.trial.clear();
    copy(relaxation.posterior, report.posterior);
    copy(relaxation.gains, report.gains);
    report.hindsight.clear();
  });
}

void ReportQueue::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  filled_.notify_one();
}

Index ReportQueue::dropped() const {
  const std::lock_guard lock(mutex_);
  return dropped_;
}

bool ReportQueue::take(Report& report) {
  {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [&] { return count_ > 0 || closed_; });
    if (count_ == 0) return false;
    std::swap(places_[first_], report);
    first_ = (first_ + 1) % places_.size();
    --count_;
    stuck_ = false;
  }
  room_.notify_one();
  return true;
}

}  // namespace heed::live
