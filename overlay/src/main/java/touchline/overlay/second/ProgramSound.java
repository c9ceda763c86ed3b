package touchline.overlay.second;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import touchline.overlay.AudioStage;
import touchline.overlay.OverlaySpec.AudioMix;

/**
 * The sound of a programme that may have a second stream's in it: for as long as a compositor
 * works, whether a push is there or not. One per compositor; any thread.
 */
public final class ProgramSound {
    private static final AudioMix UNTOUCHED =
            new AudioMix(AudioMix.Mode.MAIN, /* volumeMain= */ 1, /* volumeSecondary= */ 0);

    private final AtomicReference<AudioMix> mix = new AtomicReference<>(UNTOUCHED);
    private final AtomicBoolean comes;
    private final SecondTime time = new SecondTime();
    private final SecondSound sound = new SecondSound();
    private final MixStage stage;

    /**
     * @param nanoTime what arrival is measured with; never goes back
     * @param comes whether a second stream is to be mixed in, so that a programme without sound
     *     gets one
     */
    public ProgramSound(LongSupplier nanoTime, boolean comes) {
        this.comes = new AtomicBoolean(comes);
        stage = new MixStage(time, sound, new Asked(), nanoTime);
    }

    private final class Asked implements MixStage.Wanted {
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

    /** The main sound and nothing else. */
    public void mainOnly() {
        comes.set(false);
        mix.set(UNTOUCHED);
    }

    SecondTime time() {
        return time;
    }

    SecondSound sound() {
        return sound;
    }
}
