package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import touchline.media.ffmpeg.EncoderCapabilities;
import touchline.media.ffmpeg.H264Encoder;

final class MediaChecksTest {
    private static final EncoderCapabilities WITHOUT_CARD =
            new EncoderCapabilities(Map.of(H264Encoder.NVENC, "no CUDA"), "");
    private static final EncoderCapabilities NOTHING =
            new EncoderCapabilities(
                    Map.of(
                            H264Encoder.NVENC, "no CUDA",
                            H264Encoder.X264, "not built in",
                            H264Encoder.OPENH264, "not built in"),
                    "not built in");

    @Test
    void encoders_onAuto_nameTheChosenOneAndWhyNotTheOthers() {
        assertEquals(
                List.of(
                        Finding.ok("nvenc", "not usable: no CUDA"),
                        Finding.ok("x264", "usable"),
                        Finding.ok("openh264", "usable"),
                        Finding.ok("video encoder", "auto: x264")),
                MediaChecks.encoders(WITHOUT_CARD, "auto"));
    }

    @Test
    void encoder_configuredButUnusable_isWarnedOf() {
        Finding last = MediaChecks.encoders(WITHOUT_CARD, "nvenc").getLast();

        assertEquals(Finding.Level.WARN, last.level());
        assertEquals("nvenc cannot be used", last.text());
    }

    @Test
    void encoders_none_areWarnedOfWithAac() {
        List<Finding> findings = MediaChecks.encoders(NOTHING, "auto");

        assertEquals("aac encoder", findings.getLast().subject());
        assertEquals(Finding.Level.WARN, findings.get(findings.size() - 2).level());
    }
}
