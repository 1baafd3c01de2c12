// SPDX-License-Identifier: MIT
// Opens the libraries that few verbs need (figures, sound, MAT files, products of large matrices) when one of their
// functions is called for the first time. Who calls is made by cmake/lazy_libraries.py.
#include <dlfcn.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <span>
#include <vector>

namespace {

struct LazyFunction {
  const char* name;
  void** slot;
};

struct LazyVariable {
  const char* name;
  void* place;
  std::size_t size;
};

// Lists end with zeros.
struct LazyGroup {
  const char* const* libraries;
  const LazyFunction* functions;
  const LazyVariable* variables;
};

// As the dynamic linker does where a library is missing: there is nobody to throw to.
[[noreturn]] void give_up() {
  (void)std::fprintf(stderr, "heed: %s; install the package that has it\n",
                     dlerror());  // NOLINT(concurrency-mt-unsafe)
  std::_Exit(127);
}

// The first library that has it, as the linker would choose.
void* find(std::span<void* const> libraries, const char* name) {
  for (void* const library : libraries) {
    if (void* const found = dlsym(library, name); found != nullptr) return found;
  }
  give_up();
}

void call(std::span<void* const> libraries, const char* name) {
  (void)reinterpret_cast<int (*)()>(find(libraries, name))();  // NOLINT(*-reinterpret-cast): as POSIX has it
}

// Copied, as the linker would do. They are HDF5's types, which its H5open sets. At the end of the process HDF5 would
// tidy up what is closed already; it needs memory for that, and crashes where there is none.
void copy_variables(std::span<void* const> libraries, const LazyVariable* variable) {
  if (variable->name == nullptr) return;
  call(libraries, "H5dont_atexit");
  call(libraries, "H5open");
  for (; variable->name != nullptr; ++variable) {
    std::memcpy(variable->place, find(libraries, variable->name), variable->size);
  }
}

}  // namespace

// Global, so that libraries find each other as they do when they are linked. Several threads may come at once: each
// finds the slots filled when it leaves.
extern "C" void heed_open_lazily(const LazyGroup* group) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  std::vector<void*> libraries;
  for (const char* const* name = group->libraries; *name != nullptr; ++name) {
    libraries.push_back(dlopen(*name, RTLD_LAZY | RTLD_GLOBAL));
    if (libraries.back() == nullptr) give_up();
  }
  copy_variables(libraries, group->variables);
  for (const LazyFunction* function = group->functions; function->name != nullptr; ++function) {
    __atomic_store_n(function->slot, find(libraries, function->name), __ATOMIC_RELEASE);
  }
}
