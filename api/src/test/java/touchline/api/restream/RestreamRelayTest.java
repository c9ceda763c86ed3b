package touchline.api.restream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import touchline.ingest.rtmp.RtmpPushException;
import touchline.ingest.rtmp.RtmpSender;
import touchline.media.AccessUnit;
import touchline.media.Interruption;
import touchline.media.Timeline;
import touchline.media.hub.Feed;
import touchline.media.hub.PublishBarrier;
import touchline.packager.isobmff.Fragment;
import touchline.testing.SettableClock;
import touchline.testing.SyntheticStream;

/** What a relay sends of a feed, with a target that the test makes slow. */
class RestreamRelayTest {
    private static final SyntheticStream MEDIA = SyntheticStream.standard().seconds(8);
    private static final List<AccessUnit> UNITS = MEDIA.units();

    private final SettableClock clock = new SettableClock();
    private final Feed program = new Feed();
    private final RestreamCounters counters = new RestreamCounters();
    private final List<String> progress = new ArrayList<>();
    private final Target target = new Target();
    private Feed source = program;

    /** A target that keeps what it gets; each unit may take a while, or run an action. */
    private final class Target implements RtmpSender {
        private final List<Timeline> timelines = new ArrayList<>();
        private final List<AccessUnit> units = new ArrayList<>();
        private Duration pause = Duration.ZERO;
        private Runnable onUnit = () -> {};
        private boolean broken;

        @Override
        public void begin(Timeline timeline) {
            timelines.add(timeline);
        }

        @Override
        public void write(AccessUnit unit) {
            units.add(unit);
            clock.advance(pause);
            onUnit.run();
        }

        @Override
        public void flush() {}

        @Override
        public void check() throws RtmpPushException {
            if (broken) {
                throw new RtmpPushException("gone");
            }
        }

        @Override
        public void onEnd(Runnable action) {}
    }

    private RestreamRelay relay() {
        return new RestreamRelay(
                () -> source,
                clock::nanoTime,
                counters,
                new RestreamRelay.Progress() {
                    @Override
                    public void live() {
                        progress.add("live");
                    }

                    @Override
                    public void sent() {}

                    @Override
                    public void dropped(long units) {
                        progress.add("dropped " + units);
                    }
                });
    }

    private static Timeline timeline(int sequence) {
        return new Timeline(sequence, MEDIA.tracks(), 0, SyntheticStream.STARTED_AT);
    }

    private void offer(Feed to, int from, int until) {
        UNITS.subList(from, until).forEach(to::offer);
        to.flush();
    }

    /** With a message that a person can read. */
    private static void assertSame(List<AccessUnit> expected, List<AccessUnit> actual) {
        assertEquals(named(expected), named(actual));
        assertEquals(expected, actual);
    }

    private static List<String> named(List<AccessUnit> units) {
        return units.stream().map(unit -> unit.track().id() + "@" + unit.dtsUs()).toList();
    }

    @Test
    void everything_isSentInOrder_acrossAnInterruption() throws Exception {
        int all = UNITS.size();
        try (RestreamRelay relay = relay()) {
            program.offer(timeline(0));
            offer(program, 0, all / 2);
            assertTrue(relay.awaitMedia());
            program.offer(Interruption.PUBLISHER_GONE);
            program.offer(timeline(1));
            List<AccessUnit> second = UNITS;
            second.forEach(program::offer);
            program.end();

            relay.run(target);
        }
        List<AccessUnit> expected = new ArrayList<>(UNITS.subList(0, all / 2));
        expected.addAll(UNITS);
        assertSame(expected, target.units);
        assertEquals(List.of(timeline(0), timeline(1)), target.timelines);
        assertEquals(List.of("live", "live"), progress);
    }

    @Test
    void feedWithoutMedia_thatEnds_needsNoConnection() throws Exception {
        try (RestreamRelay relay = relay()) {
            program.offer(timeline(0));
            program.end();

            assertFalse(relay.awaitMedia());
        }
    }

    /** Units of the first two seconds take 0.2 s each; the others wait meanwhile. */
    @Test
    void lateTarget_continuesWithTheNewestKeyFrame() throws Exception {
        int firstGop = index(2);
        try (RestreamRelay relay = relay()) {
            program.offer(timeline(0));
            offer(program, 0, firstGop);
            assertTrue(relay.awaitMedia());
            target.pause = Duration.ofMillis(200);
            target.onUnit =
                    () -> {
                        if (target.units.size() == 3) {
                            offer(program, firstGop, index(7));
                        }
                        if (target.units.size() > 3
                                && target.units.getLast().dtsUs() >= 6_000_000) {
                            target.pause = Duration.ZERO;
                            program.end();
                        }
                    };

            relay.run(target);
        }
        assertEquals(UNITS.size() - unitsBehind(7), target.units.size() + dropped());
        assertTrue(counters.droppedFrames() > 0);
        List<AccessUnit> starts = target.units.stream().filter(AccessUnit::isKeyFrame).toList();
        assertEquals(List.of(0L, 6_000_000L), starts.stream().map(AccessUnit::dtsUs).toList());
        int start = target.units.indexOf(starts.getLast());
        assertSame(
                UNITS.subList(indexOf(starts.getLast()), index(7)),
                target.units.subList(start, target.units.size()));
    }

    private long dropped() {
        return counters.droppedFrames();
    }

    private static int unitsBehind(double seconds) {
        return UNITS.size() - index(seconds);
    }

    private static int indexOf(AccessUnit unit) {
        return UNITS.indexOf(unit);
    }

    private static int index(double seconds) {
        return (int) UNITS.stream().filter(unit -> unit.dtsUs() < seconds * 1e6).count();
    }

    @Test
    void brokenConnection_endsTheRun() throws Exception {
        try (RestreamRelay relay = relay()) {
            program.offer(timeline(0));
            offer(program, 0, 10);
            assertTrue(relay.awaitMedia());
            target.broken = true;

            assertThrows(RtmpPushException.class, () -> relay.run(target));
        }
    }

    /** The gate is shut in the middle: nothing but what has passed is sent from then on. */
    @Test
    void gate_thatIsShut_replacesTheProgramByWhatHasPassed() throws Exception {
        Gate gate = new Gate();
        PassedMedia passed = new PassedMedia(gate);
        passed.use();
        try (RestreamRelay relay =
                new RestreamRelay(
                        () -> gate.shut ? passed.feed() : program,
                        clock::nanoTime,
                        counters,
                        new NoProgress())) {
            program.offer(timeline(0));
            offer(program, 0, index(1));
            assertTrue(relay.awaitMedia());
            target.onUnit =
                    () -> {
                        if (target.units.size() == 10) {
                            gate.shut = true;
                            offer(program, index(1), index(8));
                            passed.units(timeline(0), List.of(run(0, 1, true), run(0, 1, false)));
                            passed.units(timeline(0), List.of(run(2, 3, true), run(2, 3, false)));
                        }
                        if (target.units.getLast().dtsUs() == UNITS.get(index(3) - 1).dtsUs()) {
                            passed.end();
                        }
                    };

            relay.run(target);
        }
        List<AccessUnit> expected = new ArrayList<>(UNITS.subList(0, index(1)));
        expected.addAll(UNITS.subList(index(2), index(3)));
        assertSame(expected, target.units);
    }

    /** The gate opens while nothing has passed: the reader goes back to the program. */
    @Test
    void gate_thatOpens_givesTheProgramBack() throws Exception {
        Gate gate = new Gate();
        gate.shut = true;
        PassedMedia passed = new PassedMedia(gate);
        passed.use();
        program.offer(timeline(0));
        offer(program, 0, index(2));
        try (RestreamRelay relay =
                new RestreamRelay(
                        () -> gate.shut ? passed.feed() : program,
                        clock::nanoTime,
                        counters,
                        new NoProgress())) {
            gate.shut = false;
            passed.units(timeline(0), List.of(run(0, 1, true)));

            assertTrue(relay.awaitMedia());
            program.end();
            relay.run(target);
        }
        assertSame(UNITS.subList(0, index(2)), target.units);
    }

    private static Fragment.Run run(double from, double to, boolean video) {
        List<Fragment.Sample> samples =
                UNITS.subList(index(from), index(to)).stream()
                        .filter(unit -> unit.track().isVideo() == video)
                        .map(unit -> new Fragment.Sample(unit, 1))
                        .toList();
        return new Fragment.Run(samples.getFirst().unit().track(), samples);
    }

    private static final class Gate implements PublishBarrier {
        private volatile boolean shut;

        @Override
        public boolean isShut() {
            return shut;
        }

        @Override
        public Verdict await(long firstPtsUs, long lastPtsUs) {
            return Verdict.PASS;
        }
    }

    private static final class NoProgress implements RestreamRelay.Progress {
        @Override
        public void live() {}

        @Override
        public void sent() {}

        @Override
        public void dropped(long units) {}
    }
}
