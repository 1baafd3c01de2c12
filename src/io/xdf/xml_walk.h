// SPDX-License-Identifier: MIT
// XML as headers of streams hold it: elements and their text, told one after the other as they close, so that nothing
// is kept and nesting costs nothing. Attributes, comments and declarations are passed over; what is cut or broken ends
// the walk.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace heed::io {

// `closed` is told the path of every element, as in info/desc/channels/channel/label, and its own text, trimmed and
// clean. False: the text is not well-formed, or nested too deep; what came before it was told.
[[nodiscard]] bool walk_xml(std::string_view text,
                            const std::function<void(std::string_view path, const std::string& text)>& closed);

// Text between elements: &, < and > are written as entities.
[[nodiscard]] std::string xml_escaped(std::string_view text);

}  // namespace heed::io
