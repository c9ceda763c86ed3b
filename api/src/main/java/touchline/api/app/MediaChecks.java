package touchline.api.app;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import touchline.config.ServerConfig;
import touchline.media.ffmpeg.EncoderCapabilities;
import touchline.media.ffmpeg.Ffmpeg;
import touchline.media.ffmpeg.FfmpegUnavailableException;
import touchline.media.ffmpeg.H264Encoder;

/** Checks of FFmpeg's libraries, and of the encoders that this host can open. One thread. */
final class MediaChecks {
    private final ServerConfig config;

    MediaChecks(ServerConfig config) {
        this.config = config;
    }

    List<Finding> run() {
        try {
            Ffmpeg.load();
        } catch (FfmpegUnavailableException e) {
            return List.of(
                    Finding.fail(
                            "ffmpeg",
                            String.valueOf(e.getMessage()),
                            "Debian 12, Ubuntu 22.04 or newer have what it needs"));
        }
        List<Finding> findings = new ArrayList<>();
        findings.add(Finding.ok("ffmpeg", Ffmpeg.version() + ", " + Ffmpeg.licence()));
        findings.addAll(encoders(Ffmpeg.encoders(), config.encoder().video()));
        return findings;
    }

    /**
     * A stream without a scoreboard is not transcoded, so a missing encoder is no failure.
     *
     * @param wanted {@code encoder.video}
     */
    static List<Finding> encoders(EncoderCapabilities capabilities, String wanted) {
        List<Finding> findings = new ArrayList<>();
        for (H264Encoder encoder : H264Encoder.values()) {
            findings.add(
                    Finding.ok(
                            encoder.configName(),
                            capabilities.canUse(encoder)
                                    ? "usable"
                                    : "not usable: " + capabilities.refusals().get(encoder)));
        }
        Optional<H264Encoder> chosen =
                H264Encoder.ofConfig(wanted)
                        .filter(capabilities::canUse)
                        .or(() -> wanted.equals("auto") ? capabilities.best() : Optional.empty());
        findings.add(
                chosen.map(
                                encoder ->
                                        Finding.ok(
                                                "video encoder",
                                                wanted + ": " + encoder.configName()))
                        .orElseGet(
                                () ->
                                        Finding.warn(
                                                "video encoder",
                                                "%s cannot be used".formatted(wanted),
                                                "scoreboards and transcoding need one: set"
                                                        + " encoder.video to one that is usable")));
        if (!capabilities.aac()) {
            findings.add(
                    Finding.warn(
                            "aac encoder",
                            "not usable: " + capabilities.aacRefusal(),
                            "mixed audio and transcoding need it"));
        }
        return findings;
    }
}
