package touchline.media.alignment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import touchline.media.AccessUnit;
import touchline.media.SessionId;
import touchline.media.ffmpeg.AudioEncoder;
import touchline.media.ffmpeg.AudioSettings;
import touchline.media.ffmpeg.Pcm;
import touchline.media.hub.PublishSource;
import touchline.media.hub.SourceAlignment;
import touchline.media.hub.SourceAlignment.Lag;
import touchline.testing.Await;
import touchline.testing.Threads;

/** From coded audio to the lag. */
final class AudioAlignmentTest {
    private static final SessionId SESSION = new SessionId("ses_1");
    private static final DoubleUnaryOperator MATCH = Programme.match(1);

    @Test
    void newest_aacOfTwoEncoders_isTheLagOfTheirClocks() throws InterruptedException {
        try (SourceAlignment alignment = AudioAlignment.open(SESSION, () -> -1_000_000)) {
            // The backup's clock starts at 0 with content that is 1.25 s earlier.
            List<AccessUnit> primary = aac(new AudioSettings(48_000, 2, 128_000), 5, 1);
            List<AccessUnit> backup = aac(new AudioSettings(44_100, 1, 64_000), 3.75, 0);

            send(alignment, primary, backup);

            Lag lag = await(alignment, Lag::isReliable);
            assertEquals(250_000, (double) lag.us(), 5_000);
        }
    }

    @Test
    void restart_otherPublisher_dropsTheLag() throws InterruptedException {
        try (SourceAlignment alignment = AudioAlignment.open(SESSION, () -> 0)) {
            AudioSettings settings = new AudioSettings(48_000, 1, 96_000);
            List<AccessUnit> units = aac(settings, 5, 0);
            send(alignment, units, units);
            Lag _ = await(alignment, Lag::isReliable);

            alignment.restart(PublishSource.PRIMARY);
            assertEquals(Optional.empty(), alignment.newest());

            send(alignment, aac(settings, 5, 7), units);
            assertEquals(-7_000_000, (double) await(alignment, Lag::isReliable).us(), 5_000);
        }
    }

    @Test
    void close_thread_ends() throws InterruptedException {
        SourceAlignment alignment = AudioAlignment.open(new SessionId("ses_2"), () -> 0);
        alignment.close();

        Await.until(() -> Threads.named("align-ses_2").isEmpty(), "the thread ends");
    }

    private static void send(
            SourceAlignment to, List<AccessUnit> primary, List<AccessUnit> backup) {
        for (int i = 0; i < Math.max(primary.size(), backup.size()); i++) {
            if (i < primary.size()) {
                to.audio(PublishSource.PRIMARY, primary.get(i));
            }
            if (i < backup.size()) {
                to.audio(PublishSource.BACKUP, backup.get(i));
            }
        }
    }

    private static Lag await(SourceAlignment alignment, Predicate<Lag> condition) {
        AtomicReference<Lag> found = new AtomicReference<>();
        Await.until(
                () -> {
                    alignment.newest().filter(condition).ifPresent(found::set);
                    return found.get() != null;
                },
                () -> "lag: " + alignment.newest());
        return found.get();
    }

    /** 14 s of the match, as coded by an encoder whose clock has reached that time. */
    private static List<AccessUnit> aac(AudioSettings settings, double from, double clock) {
        int rate = settings.sampleRateHz();
        List<AccessUnit> units = new ArrayList<>();
        try (AudioEncoder encoder = AudioEncoder.open(settings)) {
            float[] samples = new float[14 * rate * settings.channels()];
            for (int i = 0; i < samples.length; i++) {
                int frame = i / settings.channels();
                double seconds = from + (double) frame / rate;
                samples[i] = (float) (0.5 * MATCH.applyAsDouble(seconds));
            }
            long start = Math.round(clock * rate);
            units.addAll(encoder.encode(Pcm.of(rate, settings.channels(), start, samples)));
            units.addAll(encoder.finish());
        }
        return units;
    }
}
