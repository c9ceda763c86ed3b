package touchline.overlay.stream;

import java.util.Arrays;

/**
 * Reads the overlay stream's audio at the main stream's clock. Resamples slightly where the clocks
 * differ, so that no sample is dropped or repeated. Missing audio fades out and in within 10 ms.
 * Compositing thread.
 */
final class AudioReader {
    /** More than the drift that {@link OverlayStreamTime} corrects. */
    private static final double MOST_GLIDE = 0.012;

    /** Time to correct a remaining offset. */
    private static final double CATCH_UP_SECONDS = 1;

    /** A larger offset is corrected by a jump. */
    private static final double JUMP_SECONDS = 0.3;

    private static final double RAMP_SECONDS = 0.01;

    private final AudioRing ring;
    private final int channels;
    private final float presenceStep;
    private final float[] lastSample;
    private final float[] tail;
    private final int rampFrames;
    private float[] scratch = new float[0];
    private double position = Double.NaN;
    private double lastWanted = Double.NaN;
    private int lastFrames;
    private float presence;

    /** Remaining sample frames of the fade-out after a jump. */
    private int tailFrames;

    AudioReader(AudioRing ring) {
        this.ring = ring;
        this.channels = ring.channels();
        this.rampFrames = (int) (RAMP_SECONDS * ring.rateHz());
        this.presenceStep = 1f / rampFrames;
        this.lastSample = new float[channels];
        this.tail = new float[channels];
    }

    /**
     * Fills {@code target} with resampled audio.
     *
     * @param wanted position of the first sample frame in the overlay stream, in sample frames; NaN
     *     if unknown
     * @param frames number of sample frames
     */
    void read(double wanted, int frames, float[] target) {
        double off = wanted - position;
        int rateHz = ring.rateHz();
        if (!(Math.abs(off) <= JUMP_SECONDS * rateHz) || isTooEarly(off, frames)) {
            jump(wanted);
            off = 0;
        }
        if (Double.isNaN(wanted)) {
            Arrays.fill(target, 0, frames * channels, 0);
        } else {
            double pace = Double.isNaN(lastWanted) ? 1 : (wanted - lastWanted) / lastFrames;
            double step = pace + off / (CATCH_UP_SECONDS * rateHz);
            fill(Math.clamp(step, 1 - MOST_GLIDE, 1 + MOST_GLIDE), frames, target);
        }
        lastWanted = wanted;
        lastFrames = frames;
        fadeOut(frames, target);
        if (frames > 0) {
            System.arraycopy(target, (frames - 1) * channels, lastSample, 0, channels);
        }
    }

    /** What is not there cannot be heard: to wait until a glide comes to it is of no use. */
    private boolean isTooEarly(double off, int frames) {
        return off < -rampFrames && ring.end() < position + frames;
    }

    private void jump(double wanted) {
        position = wanted;
        lastWanted = Double.NaN;
        presence = 0;
        tailFrames = rampFrames;
        System.arraycopy(lastSample, 0, tail, 0, channels);
    }

    private void fill(double step, int frames, float[] target) {
        long first = (long) Math.floor(position) - SincTable.BEFORE;
        int needed = (int) Math.ceil(frames * step) + SincTable.TAPS + 1;
        if (scratch.length < needed * channels) {
            scratch = new float[needed * channels];
        }
        int there = ring.read(first, needed, scratch);
        double start = position - first;
        for (int i = 0; i < frames; i++) {
            interpolate(start + i * step, target, i * channels);
        }
        int audible = (int) Math.clamp((there - SincTable.TAPS - start) / step, 0, frames);
        ramp(target, frames, there >= needed ? frames : audible);
        position += frames * step;
    }

    /** Fades out the last sample before a jump. */
    private void fadeOut(int frames, float[] target) {
        for (int i = 0; i < frames && tailFrames > 0; i++, tailFrames--) {
            for (int channel = 0; channel < channels; channel++) {
                target[i * channels + channel] += tail[channel] * tailFrames * presenceStep;
            }
        }
    }

    private void interpolate(double place, float[] target, int at) {
        int index = (int) place;
        int phase = SincTable.phase(place - index);
        int from = (index - SincTable.BEFORE) * channels;
        for (int channel = 0; channel < channels; channel++) {
            float sum = 0;
            for (int tap = 0; tap < SincTable.TAPS; tap++) {
                sum += SincTable.weight(phase, tap) * scratch[from + tap * channels + channel];
            }
            target[at + channel] = sum;
        }
    }

    /**
     * Fades in from silence, and out before the audio ends.
     *
     * @param audible number of sample frames with audio
     */
    private void ramp(float[] target, int frames, int audible) {
        if (presence == 1 && audible == frames) {
            return;
        }
        for (int i = 0; i < frames; i++) {
            float left = audible == frames ? 1 : Math.max(0, (audible - i) * presenceStep);
            presence = Math.min(Math.min(1, left), presence + presenceStep);
            for (int channel = 0; channel < channels; channel++) {
                target[i * channels + channel] *= presence;
            }
        }
    }
}
