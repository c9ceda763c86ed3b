package touchline.overlay.stream;

import java.lang.foreign.MemorySegment;
import touchline.media.ffmpeg.Pcm;
import touchline.overlay.OverlaySpec.AudioMix;

/**
 * Mixes main and overlay audio at the requested levels. A change takes 10 ms; a limiter keeps the
 * sum below full scale. Output keeps the time of the input, with the limiter's delay. Compositing
 * thread.
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
     * @param mainGain initial gain of the main audio
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

    /** Whether the mix is the unchanged main audio. */
    static boolean isMainOnly(AudioMix mix) {
        return mainGain(mix) == 1 && overlayGain(mix) == 0;
    }

    /** Reads the overlay audio for a range of the main audio. */
    interface OverlaySource {
        /**
         * @param startFrame first sample frame of the range
         * @param target filled, {@code frames} sample frames
         */
        void read(long startFrame, int frames, float[] target);
    }

    /** Sets the target levels. */
    void levels(double main, double secondary) {
        mainGain.to(main);
        overlayGain.to(secondary);
    }

    /**
     * Mixes a block; the first output starts at the first block's start.
     *
     * @return the same range, shifted by the limiter's delay
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

    /** The rest that the limiter holds, after the last block. */
    Pcm rest(long endFrame) {
        int frames = limiter.delay();
        mixed = new float[frames * channels];
        return limited(endFrame, frames);
    }

    /** The next block does not follow the last one. */
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
