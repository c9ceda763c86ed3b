package touchline.overlay.stream;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import touchline.overlay.AudioStage;
import touchline.overlay.OverlaySpec.AudioMix;

/**
 * The audio of a programme that may have a second stream's in it: for as long as a compositor
 * works, whether a push is there or not. One per compositor; any thread.
 */
public final class ProgramAudio {
    private static final AudioMix UNTOUCHED =
            new AudioMix(AudioMix.Mode.MAIN, /* volumeMain= */ 1, /* volumeSecondary= */ 0);

    private final AtomicReference<AudioMix> mix = new AtomicReference<>(UNTOUCHED);
    private final AtomicBoolean comes;
    private final OverlayStreamTime time = new OverlayStreamTime();
    private final OverlayStreamAudio audio = new OverlayStreamAudio();
    private final MixStage stage;

    /**
     * @param nanoTime what arrival is measured with; never goes back
     * @param comes whether a second stream is to be mixed in, so that a programme without audio
     *     gets one
     */
    public ProgramAudio(LongSupplier nanoTime, boolean comes) {
        this.comes = new AtomicBoolean(comes);
        stage = new MixStage(time, audio, new RequestedLevels(), nanoTime);
    }

    private final class RequestedLevels implements MixStage.Levels {
        @Override
        public AudioMix now() {
            return mix.get();
        }

        @Override
        public boolean comes() {
            return comes.get();
        }
    }

    /** For the compositor, which closes it. */
    public AudioStage stage() {
        return stage;
    }

    /** From the next samples on, within ten milliseconds. */
    public void mix(AudioMix wanted) {
        comes.set(true);
        mix.set(wanted);
    }

    /** The main audio and nothing else. */
    public void mainOnly() {
        comes.set(false);
        mix.set(UNTOUCHED);
    }

    OverlayStreamTime time() {
        return time;
    }

    OverlayStreamAudio audio() {
        return audio;
    }
}
