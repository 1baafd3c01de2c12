#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# make_packages.sh BUILD DIST: .deb files, a wheel and the source of what CMake has built in BUILD, all into DIST.
set -euo pipefail
build=$(realpath "$1")
dist=$(realpath -m "$2")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
version=$(sed -n 's/^project(heed VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
rm -rf "$dist"
mkdir -p "$dist"

# debhelper wants its folder in the source tree, and leaves its own there: a copy of what it needs is enough.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r debian "$work/"
(cd "$work" && HEED_BUILD=$build HEED_DIST=$dist debian/rules binary >"$dist/debhelper.log" 2>&1) ||
  { tail -n 30 "$dist/debhelper.log" >&2; exit 1; }
rm "$dist/debhelper.log"

/usr/bin/python3 -B packaging/make_wheel.py "$build/python" "$version" "$dist" >/dev/null
if git rev-parse --git-dir >/dev/null 2>&1; then
  git archive --format=tar.gz --prefix="heed-$version/" -o "$dist/heed-$version.tar.gz" HEAD
fi
/usr/bin/python3 -B packaging/make_sbom.py . "$version" "$dist/heed.spdx.json" "$dist"/*.deb "$dist"/*.whl
ls "$dist"
