package touchline.api.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import touchline.media.Timeline;
import touchline.media.codec.DecodingRefusedException;
import touchline.media.decoding.GopDecoders;
import touchline.media.ffmpeg.FrameRate;
import touchline.media.ffmpeg.PushTarget;
import touchline.media.ffmpeg.TestMedia;
import touchline.media.hub.Feed;
import touchline.media.signal.SignalCounters;
import touchline.media.signal.SignalFault;
import touchline.media.signal.SignalListener;
import touchline.media.signal.SignalSample;
import touchline.media.signal.SignalWatch;
import touchline.media.signal.WatchedMedia;
import touchline.testing.Await;

/** The demo match has no fault, and its watch finds none. */
final class MatchSignalIT {
    /** Of the match; {@code -Dtouchline.signal.minutes=30} for a long run. */
    private static final int MINUTES = Integer.getInteger("touchline.signal.minutes", 1);

    /** Units that may wait for the watch, which looks ten times a second. */
    private static final long MAX_WAITING_BYTES = 300_000;

    /** A key frame every 2 s, of the size that it has at 2.5 Mbit/s, and nothing between them. */
    private static final DemoMatch.Settings SETTINGS =
            new DemoMatch.Settings(
                    new PushTarget(URI.create("rtmp://127.0.0.1/live"), "k", Duration.ofSeconds(5)),
                    new FrameRate(1, 2),
                    250_000,
                    TestMedia.encoder(),
                    "RIVERSIDE",
                    "HARBOUR CITY",
                    ZoneOffset.UTC);

    private final List<String> alarms = new CopyOnWriteArrayList<>();

    private final SignalListener listener =
            new SignalListener() {
                @Override
                public void sampled(SignalSample sample) {}

                @Override
                public void began(SignalFault fault, Instant at) {
                    alarms.add(fault.code());
                }

                @Override
                public void ended(SignalFault fault, Instant at) {}

                @Override
                public void refused(DecodingRefusedException cause) {
                    alarms.add(cause.toString());
                }
            };

    @Test
    void match_hasNoFaults() {
        SignalCounters counters = new SignalCounters();
        Feed feed = new Feed();
        WatchedMedia media = WatchedMedia.of(feed, feed, () -> false);
        try (MatchEncoder encoder = MatchEncoder.open(SETTINGS, Clock.systemUTC());
                SignalWatch watch =
                        new SignalWatch(GopDecoders.LOCAL, counters, Clock.systemUTC());
                SignalWatch.Watched _ = watch.watch("match", media, listener)) {
            feed.offer(new Timeline(0, encoder.tracks(), 0, Instant.EPOCH));
            for (int frame = 0; frame < MINUTES * 30; frame++) {
                encoder.next(/* forceKeyFrame= */ true).forEach(feed::offer);
                await(media, MAX_WAITING_BYTES);
            }
            await(media, 0);
        }

        assertEquals(List.of(), alarms);
        assertEquals(0, counters.dropped());
        assertEquals(0, counters.errors());
        assertTrue(counters.nanos(SignalCounters.Media.VIDEO) > 0);
    }

    private static void await(WatchedMedia media, long leftBytes) {
        Await.until(
                () ->
                        media.audio().queuedBytes() <= leftBytes
                                && media.video().queuedBytes() <= 10 * leftBytes);
    }
}
