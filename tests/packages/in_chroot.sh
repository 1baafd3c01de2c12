#!/bin/sh
# SPDX-License-Identifier: MIT
# What a new user does with the packages, in a Debian that has never seen heed; /packages holds them and a consumer.
set -eux
export DEBIAN_FRONTEND=noninteractive
apt-get -qq install --yes --no-install-recommends /packages/*.deb g++ cmake make pkg-config >/dev/null
heed --version
heed live --demo --seconds 5 --no-browser
heed-bids --help >/dev/null
test -e /usr/share/man/man1/heed-track.1.gz
test -e /usr/share/bash-completion/completions/heed
python3 -c "import heed, numpy as np; print(heed.smooth(np.random.randn(600, 2), switch_probability=1e-3).shape)"
octave-cli --norc --eval "p = heed_smooth(randn(600, 2), 'SwitchProbability', 1e-3); assert(size(p), [600 2])"
# shellcheck disable=SC2046 # words of the command line
cc -std=c99 /packages/follow.c $(pkg-config --cflags --libs heed-core) -o /tmp/follow && /tmp/follow
cmake -S /packages/consumer -B /tmp/consumer -D HEED_EXPECTED_VERSION="$1"
cmake --build /tmp/consumer
/tmp/consumer/whole
apt-get -qq remove --yes libheed-c0 >/dev/null
echo everything works
