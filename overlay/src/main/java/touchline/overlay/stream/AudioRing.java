package touchline.overlay.stream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import touchline.media.ffmpeg.Pcm;

/**
 * Ring buffer of the overlay stream's newest audio, by its own time, in the rate and channels of
 * the mix. Unwritten audio is silence. One thread writes, another reads.
 */
final class AudioRing {
    static final int SECONDS = 4;

    private final int rateHz;
    private final int channels;
    private final int frames;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final float[] samples;

    // Valid range, in sample frames of the overlay stream's time.
    @GuardedBy("lock")
    private long from;

    @GuardedBy("lock")
    private long to;

    AudioRing(int rateHz, int channels) {
        this.rateHz = rateHz;
        this.channels = channels;
        frames = SECONDS * rateHz;
        samples = new float[frames * channels];
    }

    int rateHz() {
        return rateHz;
    }

    int channels() {
        return channels;
    }

    /** Of the newest audio, in sample frames. */
    long end() {
        lock.lock();
        try {
            return to;
        } finally {
            lock.unlock();
        }
    }

    /** Drops all audio. */
    void clear() {
        lock.lock();
        try {
            from = 0;
            to = 0;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Writes audio after the present audio, over it, or after a gap, which is silent.
     *
     * @throws IllegalArgumentException another rate or channel count
     */
    void write(Pcm pcm) {
        if (pcm.sampleRateHz() != rateHz || pcm.channels() != channels) {
            throw new IllegalArgumentException(
                    "pcm: %d Hz, %d channels (expected: %d Hz, %d channels)"
                            .formatted(pcm.sampleRateHz(), pcm.channels(), rateHz, channels));
        }
        lock.lock();
        try {
            long start = pcm.startFrame();
            if (to == from || start > to + frames || start + frames < to) {
                from = start;
                to = start;
            }
            silence(to, start);
            for (int i = 0; i < pcm.frames(); i++) {
                int at = at(start + i);
                for (int channel = 0; channel < channels; channel++) {
                    samples[at + channel] = pcm.sample(i, channel);
                }
            }
            to = Math.max(to, start + pcm.frames());
            from = Math.max(from, to - frames);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Copies a range; missing audio is silence.
     *
     * @param start first sample frame
     * @param count sample frames
     * @param target buffer for them
     * @return number of sample frames present from the start on; 0 if the first is missing
     */
    int read(long start, int count, float[] target) {
        lock.lock();
        try {
            Arrays.fill(target, 0, count * channels, 0);
            long first = Math.max(start, from);
            long end = Math.min(start + count, to);
            for (long frame = first; frame < end; frame++) {
                System.arraycopy(
                        samples, at(frame), target, (int) (frame - start) * channels, channels);
            }
            return start < from ? 0 : (int) Math.max(0, end - start);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void silence(long fromFrame, long toFrame) {
        for (long frame = fromFrame; frame < toFrame; frame++) {
            int at = at(frame);
            Arrays.fill(samples, at, at + channels, 0);
        }
    }

    private int at(long frame) {
        return (int) Math.floorMod(frame, (long) frames) * channels;
    }
}
