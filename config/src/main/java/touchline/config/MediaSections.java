package touchline.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Reads the sections about media: packaging, decoding, scoreboards, moderation and encoding. None
 * of their keys reloads. One thread.
 *
 * @param home of the models that come with the server
 */
record MediaSections(Settings settings, Path home) {
    private static final Duration HOUR = Duration.ofHours(1);

    PackagerConfig packager() {
        return new PackagerConfig(
                settings.duration("packager.window", Duration.ofSeconds(10), HOUR),
                settings.duration(
                        "packager.low-part", Duration.ofMillis(100), Duration.ofSeconds(1)),
                settings
                        .list(
                                "packager.transcode-audio",
                                "mp3, opus, both or none",
                                MediaSections::audioCodec)
                        .stream()
                        .map(AudioCodec::valueOf)
                        .collect(Collectors.toSet()));
    }

    private static String audioCodec(String name) {
        return AudioCodec.valueOf(name.toUpperCase(Locale.ROOT)).name();
    }

    MediaConfig media() {
        return new MediaConfig(
                settings.sizeBytes("media.decoder-memory", 0, 1L << 50),
                MediaConfig.Isolated.of(
                        settings.text(
                                "media.isolated-decoding",
                                "off|thumbnails|all",
                                "off, thumbnails or all")));
    }

    OverlayConfig overlay() {
        return new OverlayConfig(
                settings.optionalText(
                        "overlay.chromium", "\\P{Cntrl}{1,4096}", "a program's name or path"),
                settings.flag("overlay.allow-no-sandbox"),
                settings.text(
                        "overlay.run-as", "[a-z_][a-z0-9_-]{0,31}", "the name of a system user"),
                settings.integer("overlay.max-compositors", 0, 10_000),
                new PageLimits(
                        settings.sizeBytes("overlay.page-memory", 64L << 20, 64L << 30),
                        settings.integer("overlay.page-cpu-percent", 10, 10_000),
                        settings.sizeBytes("overlay.page-bytes-per-minute", 1L << 20, 1L << 40),
                        settings.integer("overlay.page-connections", 1, 1_000)));
    }

    ModerationConfig moderation() {
        Path models = settings.path("moderation.models-dir");
        Path base = settings.isDefault("moderation.models-dir") ? home : Path.of("");
        return new ModerationConfig(
                base.resolve(models).toAbsolutePath().normalize(),
                settings.flag("moderation.demo-models"),
                settings.text(
                        "moderation.device",
                        "auto|cpu|cuda(:\\d{1,2})?",
                        "auto, cpu, cuda or cuda:N"),
                settings.integer("moderation.threads", 0, 256),
                settings.integer("moderation.batch-size", 0, 256),
                settings.duration("moderation.batch-wait", Duration.ZERO, Duration.ofSeconds(1)),
                settings.integer("moderation.queue", 1, 1024),
                settings.duration("moderation.gate-open-after", Duration.ZERO, HOUR),
                settings.share("moderation.reject-cutoff"));
    }

    EncoderConfig encoder() {
        return new EncoderConfig(
                settings.text(
                        "encoder.video",
                        "auto|nvenc|x264|openh264",
                        "auto, nvenc, x264 or openh264"),
                settings.integer("encoder.bitrate", 0, 100_000_000),
                settings.text(
                        "encoder.speed",
                        "ultrafast|superfast|veryfast|faster|fast|medium",
                        "ultrafast, superfast, veryfast, faster, fast or medium"),
                settings.integer("encoder.threads", 0, 16),
                settings.text("encoder.decoder", "auto|nvdec|software", "auto, nvdec or software"),
                settings.integer("encoder.max-renditions", 0, 10_000));
    }
}
