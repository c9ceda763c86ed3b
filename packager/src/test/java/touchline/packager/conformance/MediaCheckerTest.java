package touchline.packager.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import touchline.media.AccessUnit;
import touchline.media.Track;
import touchline.packager.conformance.HlsPlaylist.Part;
import touchline.packager.conformance.HlsPlaylist.Segment;
import touchline.packager.hls.TestMedia;
import touchline.packager.hls.TestMedia.Video;
import touchline.packager.isobmff.Fragment;
import touchline.packager.isobmff.Fragment.Run;
import touchline.packager.isobmff.Fragment.Sample;
import touchline.packager.isobmff.InitSegment;

final class MediaCheckerTest {
    private static final String INIT = "init0.mp4";
    private static final int PART_MS = 500;
    private static final int SEGMENT_MS = 1_000;

    /**
     * @param rule that must be the only one to speak
     */
    record Bad(String name, Rule rule, Consumer<MediaChecker> media) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Bad> bad() {
        byte[] cut = part(0, true);
        return Stream.of(
                new Bad("cut short", Rule.BOXES, it -> read(it, 0, cut(cut, 40))),
                new Bad("no init", Rule.BOXES, it -> it.part(listed(0, true), "init7.mp4", cut)),
                new Bad(
                        "init is none",
                        Rule.BOXES,
                        it -> it.init("init1.mp4", Arrays.copyOf(cut, 10))),
                new Bad(
                        "flag without sync sample",
                        Rule.INDEPENDENT_FLAG,
                        it -> it.part(listed(0, true), INIT, part(0, false))),
                new Bad(
                        "sync sample without flag",
                        Rule.INDEPENDENT_FLAG,
                        it -> it.part(listed(0, false), INIT, part(0, true))),
                new Bad(
                        "segment without key frame",
                        Rule.INDEPENDENT_SEGMENTS,
                        it -> it.segment(segment(0), true, List.of(), bytes(0, false))),
                new Bad(
                        "a part twice",
                        Rule.SEGMENT_BYTES,
                        it -> it.segment(segment(0), false, List.of(cut, cut), bytes(0, true))),
                new Bad(
                        "a hole",
                        Rule.DECODE_TIME,
                        it -> {
                            it.segment(segment(0), false, List.of(), bytes(0, true));
                            it.segment(segment(1), false, List.of(), bytes(1_050, true));
                        }),
                new Bad(
                        "shorter than listed",
                        Rule.MEDIA_DURATION,
                        it -> it.segment(segment(0), false, List.of(), part(0, true))));
    }

    @Test
    void goodMedia_hasNoFindings() {
        MediaChecker checker = checker();
        checker.part(listed(0, true), INIT, part(0, true));
        checker.part(listed(1, false), INIT, part(PART_MS, false));
        checker.segment(
                segment(0), true, List.of(part(0, true), part(PART_MS, false)), bytes(0, true));
        checker.segment(segment(1), false, List.of(), bytes(SEGMENT_MS, false));

        assertEquals(List.of(), checker.findings());
        assertEquals(2, checker.parts());
        assertEquals(2, checker.segments());
        assertEquals(1, checker.dependentSegments());
    }

    @Test
    void decodeTimes_afterASegmentThatWasNotRead_mayStartAnywhere() {
        MediaChecker checker = checker();
        checker.segment(segment(0), true, List.of(), bytes(0, true));
        checker.segment(segment(2), true, List.of(), bytes(2_345, true));

        assertEquals(List.of(), checker.findings());
    }

    @ParameterizedTest
    @MethodSource("bad")
    void badMedia_isFoundByItsRuleAlone(Bad bad) {
        MediaChecker checker = checker();
        bad.media().accept(checker);

        assertEquals(
                Set.of(bad.rule()),
                ConformanceCheckerTest.rules(checker.findings()),
                checker.findings()::toString);
    }

    private static MediaChecker checker() {
        MediaChecker checker = new MediaChecker();
        checker.init(
                INIT,
                InitSegment.write(List.of(TestMedia.VIDEO, TestMedia.AUDIO), TestMedia.START));
        return checker;
    }

    private static void read(MediaChecker checker, int index, byte[] bytes) {
        checker.part(listed(index, true), INIT, bytes);
    }

    private static Part listed(int index, boolean independent) {
        return new Part("s0." + index + ".m4s", PART_MS * 1_000L, independent);
    }

    private static Segment segment(int number) {
        return new Segment(
                number,
                "s" + number + ".m4s",
                SEGMENT_MS * 1_000L,
                Optional.empty(),
                false,
                false,
                INIT,
                List.of());
    }

    private static byte[] bytes(int startMs, boolean key) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(part(startMs, key));
        out.writeBytes(part(startMs + PART_MS, false));
        return out.toByteArray();
    }

    private static byte[] part(int startMs, boolean key) {
        List<AccessUnit> frames = new ArrayList<>();
        for (AccessUnit unit : TestMedia.video(new Video(20, 1_000, startMs, PART_MS))) {
            boolean first = frames.isEmpty();
            frames.add(TestMedia.frame(unit.dtsTicks() / 90, 0, first && key));
        }
        List<Run> runs =
                List.of(
                        run(TestMedia.VIDEO, frames, 50 * 90),
                        run(TestMedia.AUDIO, tones(startMs), 960));
        Fragment fragment = new Fragment(startMs, runs);
        ByteBuffer bytes = ByteBuffer.allocate(fragment.sizeBytes());
        fragment.writeTo(bytes);
        return bytes.array();
    }

    /** Frames of 20 ms, so that parts hold a whole number of them. */
    private static List<AccessUnit> tones(int startMs) {
        List<AccessUnit> units = new ArrayList<>();
        for (int ms = startMs; ms < startMs + PART_MS; ms += 20) {
            units.add(TestMedia.audio(startMs, 20).getFirst().at(TestMedia.AUDIO, ms * 48L, 0));
        }
        return units;
    }

    private static Run run(Track track, List<AccessUnit> units, long durationTicks) {
        return new Run(track, units.stream().map(unit -> new Sample(unit, durationTicks)).toList());
    }

    private static byte[] cut(byte[] bytes, int by) {
        return Arrays.copyOf(bytes, bytes.length - by);
    }
}
