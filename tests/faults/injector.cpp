// SPDX-License-Identifier: MIT
// Put before the C library by LD_PRELOAD, it lets one call of a program fail. HEED_FAULT says which and how:
// "write ENOSPC 17" is the 17th write, "write ENOSPC 17+" that and every later one; "write short 17" moves one byte
// only, and at "write kill 17" the process is killed. Calls are counted from the beginning of main, by kind;
// HEED_FAULT_COUNTS names a file for the counts. What the C library calls inside itself is not seen: fopen is, the
// write behind fwrite is not.
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
void* __libc_malloc(std::size_t size);                           // NOLINT: the C library's names
void* __libc_calloc(std::size_t count, std::size_t size);        // NOLINT
void* __libc_realloc(void* old, std::size_t size);               // NOLINT
void* __libc_memalign(std::size_t alignment, std::size_t size);  // NOLINT
}

namespace {

enum Kind : std::size_t { opening, reading, writing, syncing, renaming, closing, folder_making, allocation, kinds };
constexpr std::array<const char*, kinds> names{"open",   "read",  "write", "fsync",
                                               "rename", "close", "mkdir", "allocation"};

struct Fault {
  Kind kind = kinds;  // none
  long at = 0;
  bool lasts = false;
  int error = 0;  // 0: a short count; -1: the end of the process
};

Fault fault;
std::array<std::atomic<long>, kinds> counts{};
std::atomic<bool> in_main = false;

int error_named(const char* name) {
  if (std::strcmp(name, "ENOSPC") == 0) return ENOSPC;
  if (std::strcmp(name, "EIO") == 0) return EIO;
  if (std::strcmp(name, "EINTR") == 0) return EINTR;
  if (std::strcmp(name, "ENOMEM") == 0) return ENOMEM;
  if (std::strcmp(name, "kill") == 0) return -1;
  return 0;
}

void arm() {
  const char* text = std::getenv("HEED_FAULT");
  if (text != nullptr) {
    std::array<char, 16> kind{};
    std::array<char, 16> error{};
    char lasts = ' ';
    // NOLINTNEXTLINE(cert-err34-c): a number that tests wrote
    if (std::sscanf(text, "%15s %15s %ld%c", kind.data(), error.data(), &fault.at, &lasts) < 3) std::abort();
    for (std::size_t k = 0; k < kinds; ++k) {
      if (std::strcmp(names[k], kind.data()) == 0) fault.kind = static_cast<Kind>(k);
    }
    fault.error = error_named(error.data());
    fault.lasts = lasts == '+';
  }
  in_main = true;
}

// Counts the call. Whether it is one that goes wrong.
bool strikes(Kind kind) {
  if (!in_main) return false;
  const long number = ++counts[kind];
  const bool struck = kind == fault.kind && (fault.lasts ? number >= fault.at : number == fault.at);
  if (struck && fault.error < 0) (void)kill(getpid(), SIGKILL);
  return struck;
}

// The same for calls that cannot be short.
bool fails(Kind kind) {
  if (!strikes(kind) || fault.error == 0) return false;
  errno = fault.error;
  return true;
}

enum class Outcome { usual, shortened, failed };
Outcome outcome_of(Kind kind) {
  if (!strikes(kind)) return Outcome::usual;
  if (fault.error == 0) return Outcome::shortened;
  errno = fault.error;
  return Outcome::failed;
}

// transfer(size) with as many bytes as the fault leaves.
template <typename Transfer>
ssize_t transferred(Kind kind, std::size_t size, Transfer transfer) {
  const Outcome outcome = outcome_of(kind);
  if (outcome == Outcome::failed) return -1;
  return transfer(outcome == Outcome::shortened && size > 1 ? 1 : size);
}

template <typename Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

struct CountsAtExit {
  ~CountsAtExit() {
    const char* path = std::getenv("HEED_FAULT_COUNTS");
    if (path == nullptr) return;
    in_main = false;
    std::FILE* file = std::fopen(path, "w");
    if (file == nullptr) return;
    for (std::size_t k = 0; k < kinds; ++k) (void)std::fprintf(file, "%s %ld\n", names[k], counts[k].load());
    (void)std::fclose(file);
  }
};
const CountsAtExit counts_at_exit;

using Main = int (*)(int, char**, char**);
Main program = nullptr;

int armed_main(int argc, char** argv, char** environment) {
  arm();
  return program(argc, argv, environment);
}

mode_t mode_among(int flags, std::va_list arguments) { return (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0; }

}  // namespace

extern "C" {

// NOLINTNEXTLINE(bugprone-reserved-identifier, readability-identifier-naming, readability-function-size): libc's
int __libc_start_main(Main main, int argc, char** argv, void (*init)(), void (*fini)(), void (*end)(), void* stack) {
  program = main;
  using Start = decltype(&__libc_start_main);
  return next<Start>("__libc_start_main")(armed_main, argc, argv, init, fini, end, stack);
}

int open(const char* path, int flags, ...) {
  std::va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_among(flags, arguments);
  va_end(arguments);
  return fails(opening) ? -1 : static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}
int open64(const char* path, int flags, ...) __attribute__((alias("open")));

int openat(int folder, const char* path, int flags, ...) {
  std::va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_among(flags, arguments);
  va_end(arguments);
  return fails(opening) ? -1 : static_cast<int>(syscall(SYS_openat, folder, path, flags, mode));
}
int openat64(int folder, const char* path, int flags, ...) __attribute__((alias("openat")));

std::FILE* fopen(const char* path, const char* mode) {
  return fails(opening) ? nullptr : next<decltype(&fopen)>("fopen")(path, mode);
}
std::FILE* fopen64(const char* path, const char* mode) { return fopen(path, mode); }

DIR* opendir(const char* path) { return fails(opening) ? nullptr : next<decltype(&opendir)>("opendir")(path); }
DIR* fdopendir(int folder) { return fails(opening) ? nullptr : next<decltype(&fdopendir)>("fdopendir")(folder); }
dirent* readdir(DIR* folder) { return fails(reading) ? nullptr : next<decltype(&readdir)>("readdir")(folder); }

ssize_t read(int file, void* bytes, std::size_t size) {
  return transferred(reading, size, [=](std::size_t count) { return syscall(SYS_read, file, bytes, count); });
}
ssize_t pread(int file, void* bytes, std::size_t size, off_t offset) {
  return transferred(reading, size,
                     [=](std::size_t count) { return syscall(SYS_pread64, file, bytes, count, offset); });
}
ssize_t pread64(int file, void* bytes, std::size_t size, off_t offset) { return pread(file, bytes, size, offset); }

ssize_t write(int file, const void* bytes, std::size_t size) {
  return transferred(writing, size, [=](std::size_t count) { return syscall(SYS_write, file, bytes, count); });
}
ssize_t pwrite(int file, const void* bytes, std::size_t size, off_t offset) {
  return transferred(writing, size,
                     [=](std::size_t count) { return syscall(SYS_pwrite64, file, bytes, count, offset); });
}
ssize_t pwrite64(int file, const void* bytes, std::size_t size, off_t offset) {
  return pwrite(file, bytes, size, offset);
}
ssize_t writev(int file, const iovec* pieces, int count) {
  return fails(writing) ? -1 : syscall(SYS_writev, file, pieces, count);
}
ssize_t sendfile(int to, int from, off_t* offset, std::size_t size) {
  return transferred(writing, size, [=](std::size_t count) { return syscall(SYS_sendfile, to, from, offset, count); });
}

int fsync(int file) { return fails(syncing) ? -1 : static_cast<int>(syscall(SYS_fsync, file)); }
int fdatasync(int file) { return fails(syncing) ? -1 : static_cast<int>(syscall(SYS_fdatasync, file)); }

int rename(const char* from, const char* to) noexcept {
  return fails(renaming) ? -1 : static_cast<int>(syscall(SYS_rename, from, to));
}

// Linux closes the file whatever it says.
int close(int file) {
  const auto result = static_cast<int>(syscall(SYS_close, file));
  return fails(closing) ? -1 : result;
}

int mkdir(const char* path, mode_t mode) noexcept {
  return fails(folder_making) ? -1 : static_cast<int>(syscall(SYS_mkdir, path, mode));
}

void* malloc(std::size_t size) noexcept { return fails(allocation) ? nullptr : __libc_malloc(size); }
void* calloc(std::size_t count, std::size_t size) noexcept {
  return fails(allocation) ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) noexcept { return fails(allocation) ? nullptr : __libc_realloc(old, size); }
void* memalign(std::size_t alignment, std::size_t size) noexcept {
  return fails(allocation) ? nullptr : __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept { return memalign(alignment, size); }
int posix_memalign(void** place, std::size_t alignment, std::size_t size) noexcept {
  void* const made = memalign(alignment, size);
  if (made == nullptr) return ENOMEM;
  *place = made;
  return 0;
}

}  // extern "C"
