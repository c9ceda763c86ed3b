package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.host.HostFacts;
import touchline.config.ConfigLoader;
import touchline.media.ffmpeg.EncoderCapabilities;
import touchline.media.ffmpeg.H264Encoder;

/** A host with a card, as {@code nvidia-smi} and FFmpeg describe it. */
final class GpuChecksTest {
    private static final EncoderCapabilities ALL = new EncoderCapabilities(Map.of(), "");

    @TempDir private Path folder;

    @Test
    void cardWithANewDriver_isFound() {
        assertEquals(
                """
                OK gpu: NVIDIA L4, driver 570.86.15, 23034 MiB
                OK nvenc: usable
                OK nvdec: usable: encoder.decoder auto
                WARN inference: on the processor, although there is a card""",
                report("NVIDIA L4", "570.86.15", ALL, true, Map.of()));
    }

    @Test
    void oldDriver_isNamedWithTheOneThatIsNeeded() {
        Finding card = finding("gpu", card("NVIDIA L4", "535.183.01"), ALL, true, Map.of());

        assertEquals(Finding.Level.WARN, card.level());
        assertTrue(card.advice().contains("driver 570 or newer"), card.advice());
    }

    @Test
    void missingLibraries_areNamedWithTheirPackages() {
        EncoderCapabilities none =
                new EncoderCapabilities(
                        Map.of(H264Encoder.NVENC, "Cannot load libnvidia-encode.so.1"), "");

        Finding nvenc = finding("nvenc", card("NVIDIA L4", "570.1"), none, false, Map.of());
        Finding nvdec = finding("nvdec", card("NVIDIA L4", "570.1"), none, false, Map.of());

        assertTrue(nvenc.text().contains("libnvidia-encode.so.1"), nvenc.text());
        assertTrue(nvenc.advice().contains("libnvidia-encode1"), nvenc.advice());
        assertTrue(nvdec.advice().contains("libnvcuvid1"), nvdec.advice());
    }

    @Test
    void consumerCard_hasALimitOfSessions() {
        Finding nvenc =
                finding("nvenc", card("NVIDIA GeForce RTX 4070", "570.1"), ALL, true, Map.of());

        assertTrue(nvenc.text().contains("limits the sessions"), nvenc.text());
    }

    @Test
    void libtorchOfAnotherVersion_isWarnedOf() throws IOException {
        Path lib = Files.createDirectory(folder.resolve("lib"));
        Files.writeString(lib.resolve("libtorch_cuda.so"), "");
        Files.writeString(folder.resolve("build-version"), "2.4.0+cu121\n");
        Map<String, String> environment = Map.of("PYTORCH_LIBRARY_PATH", lib.toString());

        Finding other = finding("inference", card("NVIDIA L4", "570.1"), ALL, true, environment);
        assertEquals(Finding.Level.WARN, other.level());
        assertTrue(other.text().endsWith("version 2.4.0+cu121"), other.text());

        Files.writeString(folder.resolve("build-version"), "2.7.1+cu128\n");
        assertEquals(
                Finding.Level.OK,
                finding("inference", card("NVIDIA L4", "570.1"), ALL, true, environment).level());
    }

    @Test
    void noCard_isFine_unlessTheConfigurationAsksForOne() {
        HostFacts.Gpus none = new HostFacts.Gpus(List.of(), "no NVIDIA card");

        assertEquals(
                Finding.ok("gpu", "no NVIDIA card; the processor is used"),
                finding("gpu", none, ALL, false, Map.of()));
        assertEquals(
                Finding.Level.WARN,
                finding("gpu", none, ALL, false, Map.of("TOUCHLINE_ENCODER_DECODER", "nvdec"))
                        .level());
    }

    private static HostFacts.Gpus card(String name, String driver) {
        return new HostFacts.Gpus(
                List.of(
                        new HostFacts.Gpu(
                                0,
                                name,
                                driver,
                                OptionalLong.of(23_034L << 20),
                                OptionalLong.empty(),
                                OptionalInt.empty(),
                                OptionalInt.empty(),
                                OptionalInt.empty(),
                                OptionalInt.empty())),
                "");
    }

    private String report(
            String name,
            String driver,
            EncoderCapabilities encoders,
            boolean nvdec,
            Map<String, String> environment) {
        return run(card(name, driver), encoders, nvdec, environment).stream()
                .map(each -> each.level() + " " + each.subject() + ": " + each.text())
                .collect(Collectors.joining("\n"));
    }

    private Finding finding(
            String subject,
            HostFacts.Gpus cards,
            EncoderCapabilities encoders,
            boolean nvdec,
            Map<String, String> environment) {
        return run(cards, encoders, nvdec, environment).stream()
                .filter(each -> each.subject().equals(subject))
                .findFirst()
                .orElseThrow();
    }

    private List<Finding> run(
            HostFacts.Gpus cards,
            EncoderCapabilities encoders,
            boolean nvdec,
            Map<String, String> environment) {
        return new GpuChecks(
                        new ConfigLoader(environment, folder)
                                .with("moderation.models-dir", folder.toString())
                                .load(),
                        environment,
                        new GpuChecks.Tested(cards, () -> encoders, () -> nvdec))
                .run();
    }
}
