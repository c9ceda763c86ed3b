package touchline.media.ffmpeg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.List;
import java.util.Optional;
import org.bytedeco.ffmpeg.avutil.AVClass;
import org.bytedeco.ffmpeg.global.avutil;
import org.bytedeco.javacpp.Pointer;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;
import touchline.testing.LogLines;

final class FfmpegTest {
    @Test
    void load_twice_returnsVersionAndLicence() {
        Ffmpeg.load();
        Ffmpeg.load();

        assertTrue(Ffmpeg.version().matches("n?8\\.0.*"), Ffmpeg.version());
        assertTrue(Ffmpeg.licence().contains("GPL version 3"), Ffmpeg.licence());
    }

    @Test
    void check_negativeCode_namesTheCallAndTheReason() {
        Ffmpeg.load();
        FfmpegException e =
                assertThrows(
                        FfmpegException.class,
                        () -> Ffmpeg.check(avutil.AVERROR_INVALIDDATA(), "avcodec_send_packet"));

        assertEquals("avcodec_send_packet", e.call());
        assertEquals(avutil.AVERROR_INVALIDDATA(), e.code());
        assertTrue(
                String.valueOf(e.getMessage()).contains("avcodec_send_packet: Invalid data found"),
                e.getMessage());
        assertEquals(3, Ffmpeg.check(3, "anything"));
    }

    @Test
    void encoders_probed_namesABestOneAndAac() {
        EncoderCapabilities found = Ffmpeg.encoders();

        assertTrue(found.aac(), found.aacRefusal());
        assertFalse(found.usable().isEmpty());
        assertEquals(Optional.of(found.usable().getFirst()), found.best());
        assertTrue(found.canUse(H264Encoder.OPENH264), "in both builds of the natives");
        assertEquals(Ffmpeg.licence().startsWith("GPL"), found.canUse(H264Encoder.X264));
    }

    @Test
    void encoder_configName_isReadOrRefused() {
        assertEquals(Optional.empty(), H264Encoder.ofConfig("auto"));
        assertEquals(Optional.of(H264Encoder.NVENC), H264Encoder.ofConfig("nvenc"));
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> H264Encoder.ofConfig("h266"));
        assertTrue(String.valueOf(e.getMessage()).contains("auto, nvenc, x264, openh264"));
    }

    @Test
    void log_nativeLine_reachesSlf4jWithoutSecrets() {
        Ffmpeg.load();
        // Below WARN, since other tests may have used up this second's limit of warnings.
        int before = avutil.av_log_get_level();
        avutil.av_log_set_level(avutil.AV_LOG_INFO);
        List<ILoggingEvent> events =
                captured(
                        () -> {
                            FfmpegLog.mask("k3y-of-a-stream");
                            nativeLog(avutil.AV_LOG_INFO, "open k3y-of-a-stream failed\n");
                            nativeLog(avutil.AV_LOG_VERBOSE, "too much detail\n");
                            FfmpegLog.unmask("k3y-of-a-stream");
                        });
        avutil.av_log_set_level(before);

        assertEquals(1, events.size());
        assertEquals("open *** failed", events.getFirst().getFormattedMessage());
        assertEquals(ch.qos.logback.classic.Level.DEBUG, events.getFirst().getLevel());
    }

    @Test
    void log_quietly_saysNothing() {
        Ffmpeg.load();
        List<ILoggingEvent> events =
                captured(
                        () ->
                                FfmpegLog.quietly(
                                        () -> {
                                            nativeLog(avutil.AV_LOG_FATAL, "no driver\n");
                                            return true;
                                        }));

        assertEquals(List.of(), events);
    }

    @Test
    void levelOf_eachLevel_isOneLower() {
        assertEquals(Level.ERROR, FfmpegLog.levelOf(avutil.AV_LOG_PANIC));
        assertEquals(Level.ERROR, FfmpegLog.levelOf(avutil.AV_LOG_FATAL));
        assertEquals(Level.WARN, FfmpegLog.levelOf(avutil.AV_LOG_ERROR));
        assertEquals(Level.INFO, FfmpegLog.levelOf(avutil.AV_LOG_WARNING));
        assertEquals(Level.DEBUG, FfmpegLog.levelOf(avutil.AV_LOG_INFO));
        assertEquals(Level.TRACE, FfmpegLog.levelOf(avutil.AV_LOG_VERBOSE));
    }

    private static void nativeLog(int level, String line) {
        avutil.av_log((Pointer) new AVClass(null), level, line);
    }

    private static List<ILoggingEvent> captured(Runnable work) {
        try (LogLines lines = LogLines.of("touchline.media.ffmpeg.native")) {
            work.run();
            return lines.events();
        }
    }
}
