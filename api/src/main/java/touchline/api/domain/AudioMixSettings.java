package touchline.api.domain;

import java.util.Optional;

/**
 * {@code audio_mix_settings}: the audio of a stream and of its overlay stream. Immutable.
 *
 * @param volumeMain linear gain, 0 to 1
 * @param volumeSecondary linear gain, 0 to 1
 */
public record AudioMixSettings(Mode mode, double volumeMain, double volumeSecondary) {
    /** Which audio is in the program. */
    public enum Mode {
        MAIN,
        SECONDARY,
        MIX;

        public String wireName() {
            return WireNames.lowerCase(this);
        }

        public static Optional<Mode> of(String wireName) {
            return WireNames.find(Mode.class, wireName);
        }
    }

    public AudioMixSettings {
        requireVolume("volume_main", volumeMain);
        requireVolume("volume_secondary", volumeSecondary);
    }

    private static void requireVolume(String name, double volume) {
        if (!(volume >= 0 && volume <= 1)) {
            throw new IllegalArgumentException(name + ": " + volume + " (expected: 0 to 1)");
        }
    }
}
