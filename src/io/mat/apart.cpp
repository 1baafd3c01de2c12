// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <heed/data/error.h>
#include <io/mat/mat_node.h>
#include <io/open_file.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <functional>
#include <map>
#include <optional>
#include <utility>

namespace heed::io {
namespace {

// Numbers and texts between two processes of one program, over a socket. Nothing is interpreted: both ends are ours,
// but what comes from the other may end at any byte.
class Channel {
 public:
  Channel(FileDescriptor socket, std::chrono::milliseconds patience)
      : socket_(std::move(socket)), patience_(patience) {}

  // Each throws Broken where the other end is gone, or silent for too long.
  struct Broken {
    bool silent = false;
  };
  void put(std::uint64_t number) { put_bytes(&number, sizeof number); }
  void put(const std::string& text) {
    put(text.size());
    put_bytes(text.data(), text.size());
  }
  [[nodiscard]] std::uint64_t number() {
    std::uint64_t value = 0;
    get_bytes(&value, sizeof value);
    return value;
  }
  [[nodiscard]] std::string text() {
    std::string value(checked(number()), '\0');
    get_bytes(value.data(), value.size());
    return value;
  }
  // For long ones: straight into their place.
  void put_bytes(const void* bytes, std::size_t count);
  void get_bytes(void* bytes, std::size_t count);

 private:
  static std::size_t checked(std::uint64_t bytes) {
    constexpr std::uint64_t longest_text = std::uint64_t{1} << 20U;
    if (bytes > longest_text) throw Broken{};
    return static_cast<std::size_t>(bytes);
  }

  FileDescriptor socket_;
  std::chrono::milliseconds patience_;  // without a byte
};

void Channel::put_bytes(const void* bytes, std::size_t count) {
  const auto* next = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t sent = ::send(socket_.get(), next, count, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) throw Broken{};
    next += sent;
    count -= static_cast<std::size_t>(sent);
  }
}

void Channel::get_bytes(void* bytes, std::size_t count) {
  auto* next = static_cast<char*>(bytes);
  while (count > 0) {
    pollfd waiting{socket_.get(), POLLIN, 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(patience_.count()));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) throw Broken{.silent = ready == 0};
    const ssize_t received = ::recv(socket_.get(), next, count, 0);
    if (received < 0 && errno == EINTR) continue;
    if (received <= 0) throw Broken{};
    next += received;
    count -= static_cast<std::size_t>(received);
  }
}

using NodePointer = std::shared_ptr<const MatNode>;

enum class Question : std::uint64_t { names, variable, field, cell, floats, doubles, text, forget };

struct Query {
  Question question = Question::names;
  std::uint64_t id = 0;     // of the node that is asked
  std::uint64_t index = 0;  // of its cell or element
  std::string name{};       // of a variable or field
};

// ---- the other process ----

// Answers until the questions end.
class Server {
 public:
  Server(Channel& channel, std::shared_ptr<const MatContent> content)
      : channel_(channel), content_(std::move(content)) {}

  [[noreturn]] void serve() {
    while (true) {
      Query query;
      query.question = static_cast<Question>(channel_.number());
      query.id = channel_.number();
      query.index = channel_.number();
      query.name = channel_.text();
      answer(query);
    }
  }

 private:
  void answer(const Query& query) {
    switch (query.question) {
      case Question::names:
        return put_texts(content_->names());
      case Question::variable:
        return put_node(content_->variable(query.name));
      case Question::field:
        return put_node(nodes_.at(query.id)->field(query.name, query.index));
      case Question::cell:
        return put_node(nodes_.at(query.id)->cell(query.index));
      case Question::floats:
        return put_numbers<float>(*nodes_.at(query.id));
      case Question::doubles:
        return put_numbers<double>(*nodes_.at(query.id));
      case Question::text: {
        std::string text;
        channel_.put(nodes_.at(query.id)->read(text) ? 1 : 0);
        return channel_.put(text);
      }
      case Question::forget:
        nodes_.erase(query.id);
    }
  }

  void put_texts(const std::vector<std::string>& texts) {
    channel_.put(texts.size());
    for (const std::string& text : texts) channel_.put(text);
  }

  void put_node(const NodePointer& node) {
    channel_.put(node ? 1 : 0);
    if (!node) return;
    nodes_[++last_] = node;
    channel_.put(last_);
    channel_.put(static_cast<std::uint64_t>(node->kind()));
    channel_.put(node->class_name());
    channel_.put(node->dimensions().size());
    for (const std::size_t dimension : node->dimensions()) channel_.put(dimension);
    put_texts(node->fields());
  }

  template <typename Real>
  void put_numbers(const MatNode& node) {
    std::vector<Real> values(node.size());
    const bool good = node.read(std::span(values));
    channel_.put(good ? 1 : 0);
    if (good) channel_.put_bytes(values.data(), values.size() * sizeof(Real));
  }

  Channel& channel_;
  std::shared_ptr<const MatContent> content_;
  std::map<std::uint64_t, NodePointer> nodes_;
  std::uint64_t last_ = 0;
};

// What the libraries print when they give up is nothing for the user.
void silence() {
  const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nowhere < 0) return;
  ::dup2(nowhere, STDOUT_FILENO);
  ::dup2(nowhere, STDERR_FILENO);
}

// At once: what the program has planned for its own end is not for its copy.
[[noreturn]] void end() {
  while (true) ::kill(::getpid(), SIGKILL);
}

[[noreturn]] void run_server(Channel channel, const std::function<std::shared_ptr<const MatContent>()>& open) {
  silence();
  try {
    std::shared_ptr<const MatContent> content;
    try {
      content = open();
    } catch (const Error& error) {
      channel.put(1 + static_cast<std::uint64_t>(error.kind()));
      channel.put(std::string(error.what()));
      end();
    }
    channel.put(0);
    Server(channel, std::move(content)).serve();
  } catch (...) {
    end();  // no more questions, or out of memory
  }
}

// ---- this process ----

class Client {
 public:
  Client(Channel channel, pid_t process) : channel_(std::move(channel)), process_(process) {}
  ~Client() {
    ::kill(process_, SIGKILL);
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // Answer(channel), or `otherwise` once the other process is gone.
  template <typename Answer, typename Value>
  Value ask(const Query& query, Value otherwise, Answer&& answer) {
    if (broken_) return otherwise;
    try {
      channel_.put(static_cast<std::uint64_t>(query.question));
      channel_.put(query.id);
      channel_.put(query.index);
      channel_.put(query.name);
      return answer(channel_);
    } catch (const Channel::Broken&) {
      broken_ = true;
      return otherwise;
    }
  }

  void wait_until_open() {
    try {
      const std::uint64_t kind = channel_.number();
      if (kind == 0) return;
      throw Error(static_cast<ErrorKind>(kind - 1), channel_.text());
    } catch (const Channel::Broken& broken) {
      throw Error(ErrorKind::bad_data, std::string("the file is damaged: reading it ") +
                                           (broken.silent ? "takes too long" : "failed") + "; download it again");
    }
  }

 private:
  Channel channel_;
  pid_t process_;
  bool broken_ = false;
};

std::vector<std::string> get_texts(Channel& channel) {
  std::vector<std::string> texts(std::min<std::uint64_t>(channel.number(), std::uint64_t{1} << 16U));
  for (std::string& text : texts) text = channel.text();
  return texts;
}

struct NodeParts {
  std::uint64_t id = 0;
  MatKind kind = MatKind::foreign;
  std::string class_name{};
  std::vector<std::size_t> dimensions{};
  std::vector<std::string> fields{};
};

std::optional<NodeParts> get_node(Channel& channel) {
  if (channel.number() == 0) return std::nullopt;
  NodeParts parts;
  parts.id = channel.number();
  parts.kind = static_cast<MatKind>(channel.number());
  parts.class_name = channel.text();
  constexpr std::uint64_t most_dimensions = 32;
  parts.dimensions.resize(std::min(channel.number(), most_dimensions));
  for (std::size_t& dimension : parts.dimensions) dimension = channel.number();
  parts.fields = get_texts(channel);
  return parts;
}

class NodeApart final : public MatNode {
 public:
  NodeApart(std::shared_ptr<Client> client, NodeParts parts)
      : MatNode(parts.kind, std::move(parts.class_name), std::move(parts.dimensions)),
        client_(std::move(client)),
        id_(parts.id),
        fields_(std::move(parts.fields)) {}
  ~NodeApart() override {
    client_->ask({Question::forget, id_, 0, ""}, false, [](Channel&) { return true; });
  }
  NodeApart(const NodeApart&) = delete;
  NodeApart& operator=(const NodeApart&) = delete;

  static NodePointer ask(const std::shared_ptr<Client>& client, const Query& query) {
    auto parts = client->ask(query, std::optional<NodeParts>{}, get_node);
    return parts ? std::make_shared<NodeApart>(client, std::move(*parts)) : nullptr;
  }

  [[nodiscard]] std::vector<std::string> fields() const override { return fields_; }
  [[nodiscard]] NodePointer field(const std::string& name, std::size_t index) const override {
    return ask(client_, {Question::field, id_, index, name});
  }
  [[nodiscard]] NodePointer cell(std::size_t index) const override {
    return ask(client_, {Question::cell, id_, index, ""});
  }
  [[nodiscard]] bool read(std::span<float> values) const override { return numbers(Question::floats, values); }
  [[nodiscard]] bool read(std::span<double> values) const override { return numbers(Question::doubles, values); }
  [[nodiscard]] bool read(std::string& text) const override {
    return client_->ask({Question::text, id_, 0, ""}, false, [&](Channel& channel) {
      const bool good = channel.number() == 1;
      text = channel.text();
      return good;
    });
  }

 private:
  template <typename Real>
  [[nodiscard]] bool numbers(Question question, std::span<Real> values) const {
    return client_->ask({question, id_, 0, ""}, false, [&](Channel& channel) {
      if (channel.number() == 0) return false;
      channel.get_bytes(values.data(), values.size_bytes());
      return true;
    });
  }

  std::shared_ptr<Client> client_;
  std::uint64_t id_;
  std::vector<std::string> fields_;
};

class ContentApart final : public MatContent {
 public:
  explicit ContentApart(std::shared_ptr<Client> client) : client_(std::move(client)) {}

  [[nodiscard]] std::vector<std::string> names() const override {
    return client_->ask({}, std::vector<std::string>{}, get_texts);
  }
  [[nodiscard]] NodePointer variable(const std::string& name) const override {
    return NodeApart::ask(client_, {Question::variable, 0, 0, name});
  }

 private:
  std::shared_ptr<Client> client_;
};

}  // namespace

std::shared_ptr<const MatContent> open_apart(const std::function<std::shared_ptr<const MatContent>()>& open,
                                             std::chrono::milliseconds patience) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw Error(ErrorKind::io, "no socket for a second process (" + reason(errno) + ")");
  }
  FileDescriptor here(ends[0]);
  FileDescriptor there(ends[1]);
  const pid_t process = ::fork();
  if (process < 0) throw Error(ErrorKind::io, "no second process (" + reason(errno) + ")");
  if (process == 0) {
    (void)here.close();  // so that it ends with its parent
    run_server(Channel(std::move(there), patience), open);
  }
  (void)there.close();
  auto client = std::make_shared<Client>(Channel(std::move(here), patience), process);
  client->wait_until_open();
  return std::make_shared<ContentApart>(std::move(client));
}

}  // namespace heed::io
