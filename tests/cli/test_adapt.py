# SPDX-License-Identifier: MIT
"""A decoder that learns while it listens: populations to start from, heed score --adapt, and heed live --population."""
import json
import os
import shutil
import unittest

from decoding_test import BAD_DATA, CANNOT_CREATE, REAL_DATA, USAGE, DecodingTest, accuracy

EVERYBODY = ("01", "02", "03", "04", "05", "06")


class AdaptTest(DecodingTest):
    def setUp(self):
        super().setUp()
        self.study = self.shared("cohort", participants=EVERYBODY, runs=2, seconds=60, noise=3.0)
        shared = self.study.parent / "pop.json"
        if not shared.exists():
            self.heed("population", self.study, "-o", shared)
        self.population = shutil.copy(shared, self.folder / "pop.json")

    def adapt(self, *options, out="out", who="01"):
        self.heed("score", self.study, "--participant", who, "--population", "pop.json", "--adapt", *options, "--digits", "17", "-o", out)

    def sidecar(self, out="out", run=1):
        return self.read_json(f"{out}/sub-01/eeg/sub-01_task-attend_run-{run:02}_desc-ls_scores.json")

    def voices(self, study, run):
        """The sound files of a run, left and right."""
        rows = next((study / "sub-01").rglob(f"*run-{run:02}_events.tsv")).read_text().splitlines()
        return [study / "stimuli" / row.split("\t")[4] for row in rows if "\tstimulus\t" in row]


class Populations(AdaptTest):
    def test_has_covariances_and_how_each_listener_fared(self):
        made = self.read_json("pop.json")
        self.assertEqual(made["FormatVersion"], 2)
        for one in made["Entries"]:
            self.assertEqual(len(one["Covariance"]), 17 * 8 * 8)
            self.assertTrue(all(abs(value - 10000) <= 1 for value in [one["Covariance"][9 * k] for k in range(8)]))
        self.assertEqual([one["Listener"] for one in made["Adaptation"]["Trials"]], list(EVERYBODY))
        self.assertEqual({len(one["Separations"]) for one in made["Adaptation"]["Trials"]}, {len(made["Adaptation"]["Seconds"])})

    def test_a_population_for_cca_has_none_and_says_so_when_it_is_needed(self):
        self.heed("population", self.study, "--recipe", "paper", "-o", "cca.json")
        self.assertEqual(self.read_json("cca.json")["FormatVersion"], 1)
        self.fails(USAGE, "score", self.study, "--population", "cca.json", "--adapt", "-o", "out", says="only least squares")

    def test_an_old_population_is_named_with_the_remedy(self):
        old = self.read_json("pop.json")
        del old["Adaptation"]
        for one in old["Entries"]:
            del one["Covariance"]
        old["FormatVersion"] = 1
        self.write("old.json", json.dumps(old))
        self.fails(BAD_DATA, "score", self.study, "--participant", "01", "--population", "old.json", "--adapt", "-o", "out",
                   says=["older heed", "make it again"])
        self.heed("score", self.study, "--participant", "01", "--population", "old.json", "-o", "plain")
        self.refused(USAGE, "population", self.study, "--add", "old.json", "-o", "new.json", says=["old.json", "older heed"])

    def test_add(self):
        half = self.copy(self.study, "half")
        rest = self.copy(self.study, "rest")
        for who in EVERYBODY:
            shutil.rmtree((half if who > "03" else rest) / f"sub-{who}")
        self.heed("population", "half", "-o", "few.json")
        self.heed("population", "rest", "--add", "few.json", "-o", "all.json")
        every, together = self.read_json("pop.json"), self.read_json("all.json")
        self.assertEqual(together["Entries"], every["Entries"])
        self.assertEqual([one["Listener"] for one in together["Adaptation"]["Trials"]], list(EVERYBODY))
        # Those who were added knew everybody else.
        self.assertEqual(together["Adaptation"]["Trials"][3:], every["Adaptation"]["Trials"][3:])
        self.refused(USAGE, "population", "half", "--add", "all.json", "-o", "twice.json", says=["all.json", "already", "leave the listener out"])
        self.refused(USAGE, "population", "rest", "--add", "few.json", "--band", "1-9", "-o", "other.json", says=["few.json", "other signals"])

    def test_added_listeners_are_tried_as_those_before_were(self):
        half, rest = self.copy(self.study, "half"), self.copy(self.study, "rest")
        for who in EVERYBODY:
            shutil.rmtree((half if who > "03" else rest) / f"sub-{who}")
        self.heed("population", "half", "-o", "few.json")
        few = self.read_json("few.json")
        few["Adaptation"]["Seconds"] = [150, 500]
        for one in few["Adaptation"]["Trials"]:
            one["Separations"] = one["Separations"][:2]
        self.write("few.json", json.dumps(few))
        self.heed("population", "rest", "--add", "few.json", "-o", "all.json")
        adaptation = self.read_json("all.json")["Adaptation"]
        self.assertEqual(adaptation["Seconds"], [150, 500])
        self.assertEqual([len(one["Separations"]) for one in adaptation["Trials"]], [2] * 6)

    def test_added_listeners_of_the_same_name_are_others(self):
        half, rest = self.copy(self.study, "half"), self.copy(self.study, "rest")
        for who in EVERYBODY:
            shutil.rmtree((half if who > "03" else rest) / f"sub-{who}")
        for who, name in zip(EVERYBODY[3:], EVERYBODY):
            shutil.move(rest / f"sub-{who}", rest / f"sub-{name}")
            for path in (rest / f"sub-{name}").rglob(f"sub-{who}*"):
                path.rename(path.with_name(path.name.replace(who, name, 1)))
            for path in (rest / f"sub-{name}").rglob("*.v*"):
                text = path.read_bytes().replace(f"sub-{who}".encode(), f"sub-{name}".encode())
                path.write_bytes(text)
        table = rest / "participants.tsv"
        if table.exists():
            table.unlink()
        self.heed("population", "half", "-o", "few.json")
        self.heed("population", "rest", "--add", "few.json", "-o", "all.json")
        names = [one["Listener"] for one in self.read_json("all.json")["Adaptation"]["Trials"]]
        self.assertEqual(len(set(names)), 6)
        self.assertEqual(names[:3], ["01", "02", "03"])
        self.assertTrue(all(" of " in name for name in names[3:]), names)


class Scoring(AdaptTest):
    def test_scores_and_sidecars(self):
        self.adapt()
        self.assertIn("learning while it listens", self.sidecar()["Decoder"])
        self.assertRegex(self.sidecar()["Population"], r"^start from 5 others, counted as \d+ s, of pop.json \(xxh3-128:[0-9a-f]{32}\)$")
        self.assertIn("causal", self.sidecar()["Preprocessing"])
        self.assertGreater(accuracy(self.scores(1)) + accuracy(self.scores(2)), 1.3)

    def test_no_label_is_looked_at(self):
        self.adapt()
        bare = self.copy(self.study, "bare")
        for path in bare.rglob("*_events.tsv"):
            lines = [line for line in path.read_text().splitlines(True) if "\tattend\t" not in line]
            path.write_text("".join(lines))
        self.heed("score", "bare", "--participant", "01", "--population", "pop.json", "--adapt", "--digits", "17", "-o", "unlabelled")
        for run in (1, 2):
            a, b = self.scores(run), self.scores(run, out="unlabelled")
            self.assertEqual(a.numbers("left", "right"), b.numbers("left", "right"))

    def test_switched_off_nothing_is_learnt(self):
        self.adapt("off", out="off")
        shown = self.heed_json("score", self.study, "--participant", "01", "--population", "pop.json", "--adapt", "off", "-o", "out", "--json")
        self.assertEqual(shown["participants"][0]["learnt"]["labelled"], 0)
        self.assertEqual(shown["participants"][0]["learnt"]["population_share"], 1)
        self.assertIn("not learning", shown["decoder"])
        self.adapt(out="on")
        learnt, fixed = self.scores(2, out="on"), self.scores(2, out="off")
        self.assertNotEqual(learnt.numbers("left", "right"), fixed.numbers("left", "right"))
        # Until the first decoder is handed over, they are the same.
        self.assertEqual(self.scores(1, out="on").numbers("left", "right")[:6], self.scores(1, out="off").numbers("left", "right")[:6])

    def test_json_says_how_much_was_learnt(self):
        shown = self.heed_json("score", self.study, "--participant", "01", "--population", "pop.json", "--adapt", "-o", "out", "--json")
        learnt = shown["participants"][0]["learnt"]
        self.assertGreater(learnt["labelled"], 80)
        self.assertLess(learnt["labelled"], 120)
        self.assertTrue(0 < learnt["population_share"] < 1)
        self.assertIsNone(learnt["guarded"])

    def test_without_a_population_it_starts_from_nothing(self):
        self.heed("score", self.study, "--participant", "01", "--population", "none", "--adapt", "-o", "out")
        self.assertIn("starts from nothing: the first 30 s have no scores", self.said)
        rows = self.scores(1).rows
        self.assertEqual({row[2] for row in rows[:30]}, {"n/a"})
        self.assertNotIn("n/a", {row[2] for row in rows[36:]})

    def test_a_talker_who_is_silent_has_no_score_for_or_against(self):
        study = self.copy(self.study)
        right = self.voices(study, 1)[1]
        envelope = right.read_text().splitlines()
        half = len(envelope) // 2
        right.write_text("\n".join(envelope[:half] + ["0"] * (len(envelope) - half)) + "\n")
        shown = self.heed_json("score", "study", "--participant", "01", "--population", "pop.json", "--adapt", "-o", "out")
        silent = [abs(float(row[self.scores(1).header.index("right")])) for row in self.scores(1).rows[34:58]]
        self.assertLess(max(silent), 0.02)
        self.assertIsNone(shown["participants"][0]["learnt"]["guarded"])

    def test_two_talkers_with_the_same_sound_have_the_same_scores(self):
        study = self.copy(self.study)
        left, right = self.voices(study, 1)
        right.write_bytes(left.read_bytes())
        self.heed("score", "study", "--participant", "01", "--population", "pop.json", "--adapt", "--digits", "17", "-o", "out")
        self.assertTrue(all(a == b for a, b in self.scores(1).numbers("left", "right")))

    def test_a_population_of_few_counts_as_usual(self):
        few = self.read_json("pop.json")
        few["Entries"] = [one for one in few["Entries"] if one["Listener"] in ("01", "02", "03")]
        few["Adaptation"]["Trials"] = few["Adaptation"]["Trials"][:3]
        self.write("few.json", json.dumps(few))
        self.heed("score", self.study, "--participant", "01", "--population", "few.json", "--adapt", "-o", "out")
        self.assertRegex(self.sidecar()["Population"], r"^start from 2 others, counted as 300 s")

    def test_refused(self):
        def refuses(*options, says):
            self.fails(USAGE, "score", self.study, "--participant", "01", *options, "-o", "out", says=says)
        refuses("--population", "pop.json", "--adapt", "--hop", "0.25", says="end to end")
        refuses("--population", "pop.json", "--adapt", "--window", "1,2", says="one length")
        refuses("--population", "pop.json", "--adapt", "--window", "2", says=["pop.json", "windows of 1 s, not 2 s"])
        refuses("--population", "pop.json", "--adapt", "--prior-weight", "0.5", says="prior weight")
        refuses("--population", "pop.json", "--adapt", "--band", "1-9", says=["pop.json", "other signals"])
        refuses("--population", "pop.json", "--adapt", "--rate", "32", says=["pop.json", "other signals"])
        refuses("--population", "pop.json", "--adapt", "--target", "envelope", says=["pop.json", "other signals"])
        refuses("--adapt", "--decoder", "cca", says="least squares")
        few = self.read_json("pop.json")
        for one in few["Entries"]:
            one["Channels"][0] = "X" + one["Channels"][0]
        self.write("montage.json", json.dumps(few))
        self.fails(BAD_DATA, "score", self.study, "--participant", "01", "--population", "montage.json", "--adapt", "-o", "out",
                   says="nobody in the population has the channels")


class Live(AdaptTest):
    def live(self, *options):
        return self.heed("live", f"replay:{self.study}", "--participant", "01", "--population", "pop.json", "--speed", "max", *options)

    def test_a_replay_decides_by_the_scores_of_heed_score(self):
        shown = json.loads(self.live("--json", "--out", "ndjson:live.ndjson"))
        self.assertEqual(shown["windows"], 120)
        offline = self.heed_json("score", self.study, "--participant", "01", "--population", "pop.json", "--adapt", "-o", "out", "--json")
        self.assertEqual(shown["learnt"], offline["participants"][0]["learnt"])
        rows = [json.loads(line) for line in self.read("live.ndjson").splitlines()]
        self.assertEqual({row["state"] for row in rows}, {"tracking"})
        shares = [row["own_share"] for row in rows]
        self.assertEqual(shares[0], 0)
        self.assertAlmostEqual(shares[-1], 1 - shown["learnt"]["population_share"], delta=0.1)
        self.assertEqual(sorted(shares[:60]), shares[:60])

    def test_frozen(self):
        self.assertEqual(json.loads(self.live("--adapt", "off", "--json"))["learnt"]["labelled"], 0)

    def test_what_was_learnt_is_kept_and_gone_on_from(self):
        first = json.loads(self.live("--json", "--save-decoder", "me.json"))
        kept = self.read_json("me.json")
        self.assertEqual((kept["Format"], kept["Listener"]), ("heed-listener", "01"))
        self.assertAlmostEqual(kept["Learnt"]["LabelledWindows"], first["learnt"]["labelled"], places=6)
        told = self.heed("info", "me.json")
        self.assertIn("me.json: learnt listener 01: ", told)
        self.assertIn("is the listener's own", told)
        self.assertAlmostEqual(self.heed_json("info", "me.json")["labelled"], first["learnt"]["labelled"], places=6)
        second = json.loads(self.live("--json", "--save-decoder", "me.json"))
        self.assertIn("goes on from me.json", self.said)
        self.assertGreater(second["learnt"]["labelled"], first["learnt"]["labelled"] + 50)
        # The file is enough: it knows what it started from.
        third = json.loads(self.heed("live", f"replay:{self.study}", "--participant", "01", "--speed", "max", "--json", "--save-decoder", "me.json"))
        self.assertGreater(third["learnt"]["labelled"], second["learnt"]["labelled"] + 30)

    def test_where_nothing_can_be_kept_is_told_before_anybody_listens(self):
        self.refused(CANNOT_CREATE, "live", f"replay:{self.study}", "--participant", "01", "--population", "pop.json", "--speed", "max",
                     "--save-decoder", "nowhere/me.json", says="nowhere/me.json")
        self.refused(CANNOT_CREATE, "population", self.study, "-o", "nowhere/pop.json", says="nowhere/pop.json")
        self.refused(CANNOT_CREATE, "train", self.study, "--participant", "01", "-o", "nowhere/d.json", says="nowhere/d.json")

    def test_what_was_learnt_of_somebody_else_is_refused(self):
        self.live("--save-decoder", "me.json")
        kept = self.read("me.json")
        self.refused(BAD_DATA, "live", f"replay:{self.study}", "--participant", "02", "--population", "pop.json", "--speed", "max",
                     "--save-decoder", "me.json", says=["of 01", "another listener than 02"])
        self.assertEqual(self.read("me.json"), kept)

    def test_a_dry_run_says_what_the_decoder_starts_from(self):
        shown = self.live("--dry-run", "--save-decoder", "me.json")
        self.assertRegex(shown, r"decoder +starts from pop.json, learns while it listens; its \d+ channels are there by name")
        self.assertIn("what the decoder's own scores mean", shown)
        self.assertRegex(shown, r"kept +what is learnt, in me.json")
        self.assertFalse((self.folder / "me.json").exists())

    def test_a_frozen_session_leaves_what_was_kept_as_it_is(self):
        self.live("--json", "--save-decoder", "me.json")
        kept, written = self.read("me.json"), (self.folder / "me.json").stat().st_mtime_ns
        shown = json.loads(self.live("--adapt", "off", "--json", "--save-decoder", "me.json"))
        self.assertIn("goes on from me.json", self.said)
        self.assertIn("nothing is learnt with --adapt off, so me.json is not written", shown["notes"])
        self.assertEqual((self.read("me.json"), (self.folder / "me.json").stat().st_mtime_ns), (kept, written))
        self.live("--adapt", "off", "--save-decoder", "you.json")
        self.assertIn("nothing is learnt with --adapt off, so you.json is not written", self.said)
        self.assertFalse((self.folder / "you.json").exists())

    def test_from_nothing_it_says_that_it_learns(self):
        shown = json.loads(self.heed("live", f"replay:{self.study}", "--participant", "01", "--speed", "max", "--adapt", "on", "--json",
                                     "--out", "ndjson:live.ndjson"))
        states = {json.loads(line)["state"] for line in self.read("live.ndjson").splitlines()}
        self.assertEqual(states, {"learning"})
        self.assertEqual(shown["calibrating"], 120)
        self.assertTrue(any("no population" in note for note in shown["notes"]))

    def test_refused(self):
        def refuses(*options, says):
            self.refused(USAGE, "live", f"replay:{self.study}", "--participant", "01", *options, says=says)
        refuses("--adapt", "off", says="--population")
        refuses("--save-decoder", "x.json", says="--save-decoder needs --population or --calibrate")
        refuses("--population", "pop.json", "--adapt", "never", says="on, off")
        refuses("--population", "pop.json", "--adapt", "600", says="--tracking")
        refuses("--population", "pop.json", "--hop", "0.25", says="end to end")
        refuses("--population", "pop.json", "--window", "2", says="windows of 1 s, not 2 s")
        refuses("--population", "pop.json", "--prior-weight", "0.5", says="--prior-weight")

    def test_a_population_that_does_not_fit(self):
        few = self.read_json("pop.json")
        few["Entries"] = [one for one in few["Entries"] if one["Listener"] in ("01", "02", "03")]
        few["Adaptation"]["Trials"] = few["Adaptation"]["Trials"][:3]
        self.write("few.json", json.dumps(few))
        shown = json.loads(self.heed("live", f"replay:{self.study}", "--participant", "01", "--population", "few.json", "--speed", "max", "--json"))
        self.assertTrue(any("only 2 other listeners" in note for note in shown["notes"]), shown["notes"])
        for one in few["Entries"]:
            one["Channels"][0] = "X" + one["Channels"][0]
        self.write("montage.json", json.dumps(few))
        self.refused(BAD_DATA, "live", f"replay:{self.study}", "--participant", "01", "--population", "montage.json",
                     says="nobody in the population has the channels")

    def test_signals_are_prepared_as_those_of_the_population(self):
        self.heed("population", self.study, "--rate", "32", "--target", "envelope", "--filters", "causal", "-o", "pop.json")
        shown = json.loads(self.live("--json"))
        self.assertEqual((shown["windows"], shown["held"]), (120, 0))
        offline = self.heed_json("score", self.study, "--participant", "01", "--population", "pop.json", "--adapt", "-o", "out", "--json")
        self.assertEqual(shown["learnt"], offline["participants"][0]["learnt"])

    def decisions(self):
        self.heed("live", "replay:study", "--participant", "01", "--run", "01", "--population", "pop.json", "--speed", "max", "--json",
                  "--out", "ndjson:live.ndjson")
        return [json.loads(line) for line in self.read("live.ndjson").splitlines()]

    def test_a_talker_who_is_silent_is_not_preferred(self):
        right = self.voices(self.copy(self.study), 1)[1]
        right.write_text("\n".join(["0"] * len(right.read_text().splitlines())) + "\n")
        rows = self.decisions()
        self.assertEqual({row["state"] for row in rows}, {"tracking"})
        self.assertEqual({row.get("population") for row in rows}, {None}, "nothing is given up")
        self.assertTrue(all(0 <= p <= 1 for row in rows for p in row["posterior"]))

    def test_two_talkers_with_the_same_sound_stay_undecided(self):
        left, right = self.voices(self.copy(self.study), 1)
        right.write_bytes(left.read_bytes())
        for row in self.decisions():
            self.assertAlmostEqual(row["posterior"][0], 0.5, places=9)
            self.assertEqual(row["gains_db"][0], row["gains_db"][1])


@unittest.skipUnless(REAL_DATA and os.path.isdir(os.path.join(REAL_DATA or "", "dtu-match")), "needs HEED_TEST_DATA/dtu-match")
class RealListeners(DecodingTest):
    def test_the_commands_of_the_documentation(self):
        data = os.path.join(REAL_DATA, "dtu-match")
        self.heed("population", data, "--participant", "02,03,04,05,06", "-o", "pop.json")
        live = json.loads(self.heed("live", "replay:" + data, "--participant", "01", "--population", "pop.json", "--speed", "max", "--json"))
        self.assertEqual((live["windows"], live["held"]), (500, 0))
        offline = self.heed_json("score", data, "--participant", "01", "--population", "pop.json", "--adapt", "-o", "s", "--json")
        self.assertEqual(live["learnt"], offline["participants"][0]["learnt"])
        self.assertGreater(offline["participants"][0]["accuracy"], 0.55)


if __name__ == "__main__":
    unittest.main()
