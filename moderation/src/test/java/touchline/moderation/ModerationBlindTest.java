package touchline.moderation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import touchline.config.ModerationConfig;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.codec.DecodingRefusedException;
import touchline.media.ffmpeg.DecoderMemory;
import touchline.media.ffmpeg.TestMedia;
import touchline.testing.Await;

/** What a session reports while its video cannot be decoded. */
final class ModerationBlindTest extends ModerationServiceFixture {
    /** States of decoding with the wall clock, and refusals. */
    private final List<String> states = new CopyOnWriteArrayList<>();

    private final ModerationSink watching =
            new ModerationSink() {
                @Override
                public void analysed(FrameReport report) {
                    sink.analysed(report);
                }

                @Override
                public void blind(
                        boolean blind, Instant at, Optional<DecodingRefusedException> refusal) {
                    states.add(
                            (blind ? "blind " : "sees ")
                                    + at
                                    + refusal.map(cause -> " " + cause.limit()).orElse(""));
                }

                @Override
                public void refused(DecodingRefusedException cause) {
                    states.add("refused " + cause.limit());
                }
            };

    private ModerationTask watchedTask() {
        return start(ModerationConfig.of(models, false, "cpu"))
                .open(new StreamId("st"), new SessionId("se"), () -> feed, watching);
    }

    @Test
    void brokenVideo_longerThanAnInterval_isReportedUntilAFrameIsDecoded() throws Exception {
        try (ModerationTask task = watchedTask()) {
            task.apply(policy(1, false, 0.5));
            feed(
                    units(0, 110, _ -> false).stream()
                            .map(
                                    unit ->
                                            unit.ptsUs() >= 1_000_000 && unit.ptsUs() < 4_000_000
                                                    ? TestMedia.broken(unit)
                                                    : unit)
                            .toList());
            Await.until(() -> states.size() == 2, states::toString);

            assertEquals(
                    List.of("blind 2026-11-20T12:00:02.050Z", "sees 2026-11-20T12:00:04.050Z"),
                    states);
            assertTrue(task.counters().undecodable() > 0, task.counters()::toString);
            assertEquals(0, task.counters().failed());
        }
    }

    @Test
    void videoThatTheServerRefuses_isReportedWithItsLimit() throws Exception {
        DecoderMemory.limit(100 << 10);
        try (ModerationTask task = watchedTask()) {
            task.apply(policy(1, false, 0.5));
            feed(units(0, 60, _ -> false));
            Await.until(
                    () -> states.stream().anyMatch(each -> each.startsWith("blind")),
                    states::toString);

            assertEquals("refused MEMORY", states.getFirst());
            String blind =
                    states.stream().filter(each -> each.startsWith("blind")).findFirst().get();
            assertTrue(blind.endsWith(" MEMORY"), blind);
            assertEquals(0, task.counters().analysed());
        } finally {
            DecoderMemory.limit(Long.MAX_VALUE);
        }
    }
}
