package touchline.packager.clip;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import touchline.media.AccessUnit;
import touchline.media.Track;
import touchline.media.ffmpeg.SilentUnit;

/**
 * Silence for ranges without audio, in a clip whose other ranges have some: players of Media Source
 * Extensions stop where one of two tracks ends. One AAC frame, encoded once, kept in a file until
 * the clip is written. One thread.
 */
final class StoredSilence implements AutoCloseable {
    private static final int UNIT_FRAMES = 1_024;

    private final Path file;
    private final AccessUnit unit;

    private StoredSilence(Path file, AccessUnit unit) {
        this.file = file;
        this.unit = unit;
    }

    /**
     * Encodes it; the caller closes it.
     *
     * @param like its sample rate and channels are taken
     * @param file made here, and removed by {@link #close}
     */
    static StoredSilence open(Track like, Path file) throws IOException, InterruptedException {
        AccessUnit unit = encoded(like);
        Files.write(file, unit.payload().toArray(ValueLayout.JAVA_BYTE));
        return new StoredSilence(file, unit);
    }

    /** FFmpeg keeps a carrier thread: it gets a thread of its own. */
    private static AccessUnit encoded(Track like) throws InterruptedException {
        FutureTask<AccessUnit> encoding =
                new FutureTask<>(
                        () ->
                                SilentUnit.of(
                                        like.timescale().ticksPerSecond(),
                                        like.codec().audioChannels()));
        Thread.ofPlatform().daemon().name("clip-silence").start(encoding);
        try {
            return encoding.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("silence cannot be encoded", e.getCause());
        }
    }

    Track track() {
        return unit.track();
    }

    /** Silence from one media time of the source to another. */
    RangeCutter.AudioCut cut(long fromUs, long toUs) {
        List<StoredSample> samples = new ArrayList<>();
        int sizeBytes = Math.toIntExact(unit.payload().byteSize());
        long end = RangeCutter.ticksUp(unit.track().timescale(), toUs);
        for (long ticks = RangeCutter.ticksUp(unit.track().timescale(), fromUs);
                ticks < end;
                ticks += UNIT_FRAMES) {
            samples.add(
                    new StoredSample(
                            /* segment= */ 0,
                            file,
                            /* position= */ 0,
                            sizeBytes,
                            ticks,
                            /* compositionOffsetTicks= */ 0,
                            UNIT_FRAMES,
                            /* sync= */ true));
        }
        return new RangeCutter.AudioCut(samples, /* cutIn= */ -1, Integer.MAX_VALUE);
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(file);
    }
}
