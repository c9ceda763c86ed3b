package touchline.media.hub;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import touchline.media.CodecConfig;
import touchline.media.Track;

/** What the media of two publishers of a session has not in common, in words for the operator. */
final class SourceComparison {
    /** Rates that differ by less are the same. */
    private static final double SAME_RATE = 0.005;

    private SourceComparison() {}

    /** The warning of these differences. */
    static String warning(List<String> differences) {
        return "primary and backup differ, so players may stall at a switch: "
                + String.join("; ", differences)
                + ": set both encoders to the same";
    }

    /** The warning of clocks that run apart. */
    static String driftWarning(double ppm) {
        return String.format(
                Locale.ROOT,
                "the backup's clock runs %.0f ppm %s than the primary's: set the clock or the audio"
                        + " device of one encoder",
                Math.abs(ppm),
                ppm > 0 ? "faster" : "slower");
    }

    /** Each difference that players notice at a switch; empty without one. */
    static List<String> differences(List<Track> primary, List<Track> backup) {
        List<String> found = new ArrayList<>();
        compare("video", video(primary), video(backup), found);
        compare("audio", audio(primary), audio(backup), found);
        return found;
    }

    private static void compare(
            String what, Optional<Track> primary, Optional<Track> backup, List<String> found) {
        if (primary.isEmpty() != backup.isEmpty()) {
            found.add("only the " + (primary.isEmpty() ? "backup" : "primary") + " has " + what);
        } else if (primary.isPresent()) {
            Format one = Format.of(primary.get().codec());
            Format other = Format.of(backup.orElseThrow().codec());
            if (!one.codec().equals(other.codec())) {
                found.add(what + " is " + one.codec() + " and " + other.codec());
            }
            if (!one.shape().equals(other.shape())) {
                found.add(what + " is " + one.shape() + " and " + other.shape());
            }
            double most = Math.max(one.rate(), other.rate());
            if (one.rate() > 0
                    && other.rate() > 0
                    && Math.abs(one.rate() - other.rate()) > SAME_RATE * most) {
                found.add(
                        String.format(
                                Locale.ROOT,
                                "%s has %s and %s %s a second",
                                what,
                                one.rate(),
                                other.rate(),
                                what.equals("video") ? "frames" : "samples"));
            }
        }
    }

    /**
     * @param rate frames or samples a second; 0: unknown
     */
    private record Format(String codec, String shape, double rate) {
        static Format of(CodecConfig codec) {
            return switch (codec) {
                case CodecConfig.Avc(var config) ->
                        video("H.264", config.width(), config.height(), config.frameRate());
                case CodecConfig.Hevc(var config) ->
                        video("H.265", config.width(), config.height(), config.frameRate());
                case CodecConfig.Av1(var config) ->
                        video("AV1", config.width(), config.height(), config.frameRate());
                case CodecConfig.Aac(var config) ->
                        audio("AAC", config.channels(), config.sampleRateHz());
                case CodecConfig.Opus(var config) -> audio("Opus", config.channels(), 0);
                case CodecConfig.Mp3(int rateHz, int channels) -> audio("MP3", channels, rateHz);
            };
        }

        private static Format video(String codec, int width, int height, double rate) {
            return new Format(codec, width + "x" + height, rate);
        }

        private static Format audio(String codec, int channels, int rateHz) {
            return new Format(codec, channels + (channels == 1 ? " channel" : " channels"), rateHz);
        }
    }

    private static Optional<Track> video(List<Track> tracks) {
        return tracks.stream().filter(Track::isVideo).findFirst();
    }

    private static Optional<Track> audio(List<Track> tracks) {
        return tracks.stream().filter(track -> !track.isVideo()).findFirst();
    }
}
