package touchline.overlay.stream;

import java.lang.foreign.MemorySegment;
import touchline.media.ffmpeg.Pcm;
import touchline.overlay.OverlaySpec.AudioMix;

/**
 * Main and second audio to one, at the levels asked for; a change takes ten milliseconds, and a
 * limiter keeps the sum below full scale. What comes out has the time of what went in, and comes a
 * little later. Compositing thread.
 */
final class AudioMixer {
    private final int rateHz;
    private final int channels;
    private final GainRamp mainGain;
    private final GainRamp overlayGain;
    private final Limiter limiter;
    private float[] mixed = new float[0];
    private float[] overlaySamples = new float[0];
    private long skip;

    /**
     * @param mainGain where the main level is at first
     */
    AudioMixer(int rateHz, int channels, double mainGain, double overlayGain) {
        this.rateHz = rateHz;
        this.channels = channels;
        this.mainGain = new GainRamp(rateHz, mainGain);
        this.overlayGain = new GainRamp(rateHz, overlayGain);
        limiter = new Limiter(rateHz, channels);
        skip = limiter.delay();
    }

    static double mainGain(AudioMix mix) {
        return mix.mode() == AudioMix.Mode.SECONDARY ? 0 : mix.volumeMain();
    }

    static double overlayGain(AudioMix mix) {
        return mix.mode() == AudioMix.Mode.MAIN ? 0 : mix.volumeSecondary();
    }

    /** Whether what is heard is the main audio as it came. */
    static boolean isMainOnly(AudioMix mix) {
        return mainGain(mix) == 1 && overlayGain(mix) == 0;
    }

    /** Reads the second audio that belongs to a stretch of the main one. */
    interface OverlaySource {
        /**
         * @param startFrame of the main audio
         * @param target filled, {@code frames} sample frames
         */
        void read(long startFrame, int frames, float[] target);
    }

    /** The levels that the next samples go to. */
    void levels(double main, double secondary) {
        mainGain.to(main);
        overlayGain.to(secondary);
    }

    /**
     * Mixes; what comes out first begins where the first block began.
     *
     * @return the same stretch of time, less what the limiter holds back, and with what it held
     */
    Pcm mix(Pcm main, OverlaySource overlay) {
        int frames = main.frames();
        if (mixed.length < frames * channels) {
            mixed = new float[frames * channels];
            overlaySamples = new float[frames * channels];
        }
        overlay.read(main.startFrame(), frames, overlaySamples);
        for (int i = 0; i < frames; i++) {
            float mainLevel = mainGain.next();
            float overlayLevel = overlayGain.next();
            for (int channel = 0; channel < channels; channel++) {
                int at = i * channels + channel;
                mixed[at] = mainLevel * main.sample(i, channel) + overlayLevel * overlaySamples[at];
            }
        }
        return limited(main.startFrame(), frames);
    }

    /** What the limiter still holds back, behind the last stretch. */
    Pcm rest(long endFrame) {
        int frames = limiter.delay();
        mixed = new float[frames * channels];
        return limited(endFrame, frames);
    }

    /** What comes next does not follow what came last. */
    void restart() {
        limiter.reset();
        skip = limiter.delay();
    }

    private Pcm limited(long startFrame, int frames) {
        limiter.run(mixed, frames);
        int skipped = (int) Math.min(skip, frames);
        skip -= skipped;
        float[] out = new float[(frames - skipped) * channels];
        System.arraycopy(mixed, skipped * channels, out, 0, out.length);
        long first = startFrame - limiter.delay() + skipped;
        return new Pcm(rateHz, channels, first, MemorySegment.ofArray(out));
    }
}
