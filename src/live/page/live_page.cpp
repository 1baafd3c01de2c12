// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <live/page/gate.h>
#include <live/page/live_page.h>
#include <live/page/live_site.h>
#include <live/page/server.h>

#include <utility>

namespace heed::live {
namespace {

std::string in_url(const std::string& address) {
  return address.find(':') == std::string::npos ? address : "[" + address + "]";
}

Address address_of(const std::string& host, int port) {
  return {.text = "http://" + in_url(host) + ":" + std::to_string(port), .scheme = "tcp", .host = host, .port = port};
}

std::string checked_address(const std::string& address) {
  if (is_network_number(address)) return address;
  throw Error(ErrorKind::invalid_argument, "'" + address +
                                               "' is not the number of a network address; give one of this machine, "
                                               "such as 192.168.0.10, or 0.0.0.0 for all of them");
}

}  // namespace

class LivePage::State {
 public:
  explicit State(const PageOptions& options)
      : address_(checked_address(options.address)),
        token_(is_loopback_number(address_) ? "" : random_token()),
        server_(open(options)) {}

  [[nodiscard]] std::unique_ptr<PageServer> open(const PageOptions& options) {
    const auto listen = [&](int port) {
      return std::make_unique<PageServer>(address_of(address_, port), Gate(address_, token_), site_, options.limits);
    };
    if (options.port) return listen(*options.port);
    try {
      return listen(usual_page_port);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::io) throw;
      return listen(0);  // taken: by another session, most likely
    }
  }

  [[nodiscard]] int port() const { return server_->port(); }
  [[nodiscard]] std::string url() const {
    const bool everywhere = address_ == "0.0.0.0" || address_ == "::";
    const std::string host = everywhere ? "127.0.0.1" : in_url(address_);
    return "http://" + host + ":" + std::to_string(port()) + "/" + (token_.empty() ? "" : "?token=" + token_);
  }
  [[nodiscard]] LiveSite& site() noexcept { return site_; }
  void wake() const noexcept { server_->wake(); }

 private:
  LiveSite site_{};
  std::string address_;
  std::string token_;
  std::unique_ptr<PageServer> server_;  // last: its thread uses the site
};

namespace {

class PageSink final : public Sink {
 public:
  PageSink(PageInbox& inbox, const ShownSession& shown, std::function<void()> wake)
      : inbox_(inbox), session_(shown.session), run_(shown.run), wake_(std::move(wake)) {}

  void decided(const Decision& decision) override {
    inbox_.put(decision, session_.counts(), run_);
    tell_learnt();
    wake_();
  }
  void relaxed(const Relaxation& relaxation) override {
    inbox_.put(relaxation, session_.counts());
    wake_();
  }

 private:
  // Each decoder once; the first is what it starts from.
  void tell_learnt() {
    const std::optional<decode::LearningState> learnt = session_.learnt();
    if (!learnt || told_ == learnt->decoders) return;
    const LearntPattern pattern = session_.learnt_pattern();
    if (pattern.values.empty()) return;
    inbox_.put(pattern);
    told_ = learnt->decoders;
  }

  PageInbox& inbox_;
  const Session& session_;
  const RunReport& run_;
  std::function<void()> wake_;
  std::optional<Index> told_{};  // decoder, counted
};

class ListeningSource final : public Source {
 public:
  ListeningSource(PageInbox& inbox, Source& source) : inbox_(inbox), source_(source) {}

  [[nodiscard]] const StreamDescription& description() const override { return source_.description(); }
  [[nodiscard]] bool is_stored() const noexcept override { return source_.is_stored(); }
  [[nodiscard]] SourceCounts counts() const noexcept override { return source_.counts(); }
  Arrival next(Block& block, Seconds patience) override {
    const Arrival arrival = source_.next(block, patience);
    if (arrival == Arrival::block) inbox_.put(block, source_.counts());
    return arrival;
  }

 private:
  PageInbox& inbox_;
  Source& source_;
};

}  // namespace

LivePage::LivePage(const PageOptions& options) : state_(std::make_unique<State>(options)) {}
LivePage::~LivePage() = default;

std::string LivePage::url() const { return state_->url(); }
int LivePage::port() const { return state_->port(); }

void LivePage::show(const ShownSession& shown) {
  state_->site().show(shown);
  state_->wake();
}

void LivePage::hide() {
  state_->site().hide();
  state_->wake();
}

std::unique_ptr<Sink> LivePage::sink(const ShownSession& shown) {
  return std::make_unique<PageSink>(state_->site().inbox(), shown, [state = state_.get()] { state->wake(); });
}

std::unique_ptr<Source> LivePage::listening(Source& source) {
  return std::make_unique<ListeningSource>(state_->site().inbox(), source);
}

}  // namespace heed::live
