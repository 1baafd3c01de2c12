// SPDX-License-Identifier: MIT
// Raw signals made ready: envelopes of sound, EEG and envelopes band-passed at the decoders' rate. heed/signals.py has
// what users see.
#include <dsp/envelope.h>
#include <dsp/prepare.h>
#include <heed/io/sound_file.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <limits>

#include "native/arrays.h"
#include "native/bindings.h"
#include "native/eeg/arguments.h"
#include "native/interrupt.h"
#include "native/views.h"

namespace heed::python {
namespace {

// Between two looks for Ctrl-C.
constexpr Index sound_at_a_time = 1 << 18;
constexpr Index samples_at_a_time = 1 << 14;

// Without the GIL: envelopes of `samples` samples of sound, which read(first, count) gives in pieces.
template <typename Read>
std::vector<double> extracted(dsp::EnvelopeExtractor extractor, Index samples, const Read& read) {
  Released released;
  std::vector<double> envelope;
  for (Index first = 0; first < samples; first += sound_at_a_time) {
    extractor.push(read(first, std::min(sound_at_a_time, samples - first)), envelope);
    released.check();
  }
  extractor.finish(envelope);
  return envelope;
}

py::array_t<double> envelope(const py::object& sound, double sampling_frequency, double rate) {
  const std::vector<double> numbers = numbers_of(sound, "sound");
  const std::vector<float> samples(numbers.begin(), numbers.end());
  return to_numpy(
      extracted({Hertz{sampling_frequency}, Hertz{rate}}, std::ssize(samples), [&](Index first, Index count) {
        return std::span(samples).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
      }));
}

py::array_t<double> envelope_of_file(const std::filesystem::path& path, double rate) {
  const io::AudioHeader header = io::read_audio_header(path);
  Sound piece;
  return to_numpy(extracted({header.sampling_frequency, Hertz{rate}}, header.frames, [&](Index first, Index count) {
    piece = io::read_audio(path, {.first_frame = first, .frames = count});
    return std::span<const float>(piece.samples);
  }));
}

// What was not recorded is not made up, as `heed preprocess` has it.
void mark_missing(dsp::PreparedEeg& prepared) {
  for (const SampleRange& gap : prepared.missing) {
    prepared.values.middleRows(gap.first, gap.count).setConstant(std::numeric_limits<double>::quiet_NaN());
  }
}

struct EegNames {
  py::object channels;
  py::object bad;
};

// (samples x channels, their names)
py::tuple preprocess_eeg(const py::object& eeg, double sampling_frequency, const EegNames& names,
                         const py::dict& options) {
  const Samples samples = samples_of(eeg, "signal");
  dsp::EegSource source{.sampling_frequency = Hertz{sampling_frequency}};
  source.channels = names.channels.is_none() ? counted_names(samples.shape(1)) : names_of(names.channels, "channels");
  source.bad = names_of(names.bad, "bad");
  const Preprocessing preprocessing = preprocessing_of(options);
  dsp::PreparedEeg prepared;
  {
    Released released;
    dsp::EegPreparer preparer(preprocessing, source);
    const Eigen::Map<const SampleMatrix> all(samples.data(), samples.shape(0), samples.shape(1));
    for (Index first = 0; first < all.rows(); first += samples_at_a_time) {
      preparer.push(all.middleRows(first, std::min(samples_at_a_time, all.rows() - first)));
      released.check();
    }
    prepared = preparer.finish();
    mark_missing(prepared);
  }
  return py::make_tuple(to_numpy(std::move(prepared.values)), prepared.channels);
}

py::array_t<double> preprocess_envelope(const py::object& envelope, double sampling_frequency,
                                        const py::dict& options) {
  const Rows rows = rows_of(envelope, "signal");
  const Preprocessing preprocessing = preprocessing_of(options);
  Matrix prepared;
  {
    const Released released;
    prepared = dsp::prepare_envelope(preprocessing, copied(rows.view), Hertz{sampling_frequency});
  }
  return to_numpy(std::move(prepared));
}

}  // namespace

void bind_signals(py::module_& module) {
  module.def("_envelope", &envelope);
  module.def("_envelope_of_file", &envelope_of_file);
  module.def("_preprocess_eeg", [](const py::object& eeg, double sampling_frequency, const py::object& channels,
                                   const py::object& bad, const py::dict& options) {
    return preprocess_eeg(eeg, sampling_frequency, {channels, bad}, options);
  });
  module.def("_preprocess_envelope", &preprocess_envelope);
}

}  // namespace heed::python
