package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.api.host.HostFacts;
import touchline.config.ConfigLoader;
import touchline.config.OverlayConfig;
import touchline.moderation.DemoModels;
import touchline.overlay.page.BrowserFacts;
import touchline.overlay.page.DevToolsException;

final class ToolChecksTest {
    @TempDir private Path folder;

    @Test
    void models_whole_areListed() throws IOException {
        for (DemoModels demo : DemoModels.values()) {
            demo.write(folder);
        }

        assertEquals(
                Finding.ok(
                        "models",
                        folder + ": demo-nude (nude, a demo), demo-weapon (weapon, a demo)"),
                finding("models", Map.of("TOUCHLINE_MODERATION_DEMO_MODELS", "true")));
        Finding unused = finding("models", Map.of());
        assertEquals(Finding.Level.WARN, unused.level());
        assertEquals(
                folder
                        + ": demo-nude (nude, a demo: not used),"
                        + " demo-weapon (weapon, a demo: not used)",
                unused.text());
    }

    @Test
    void models_withoutDescription_areNamed() throws IOException {
        Files.createDirectory(folder.resolve("half"));

        Finding finding = finding("models", Map.of());

        assertEquals(Finding.Level.WARN, finding.level());
        assertTrue(
                finding.text().endsWith(": half (model.yaml cannot be read (NoSuchFileException))"),
                finding.text());
    }

    @Test
    void inference_onCudaWithoutLibtorch_isWarnedOf() {
        Finding finding = finding("inference", Map.of("TOUCHLINE_INFERENCE_DEVICE", "cuda:0"));

        assertEquals(Finding.Level.WARN, finding.level());
    }

    @Test
    void inference_withLibtorchForCuda_isOk() throws IOException {
        Files.writeString(folder.resolve("libtorch_cuda.so"), "");

        assertEquals(
                Finding.ok("inference", "cuda:0, libtorch with CUDA in " + folder),
                finding(
                        "inference",
                        Map.of(
                                "TOUCHLINE_INFERENCE_DEVICE",
                                "cuda:0",
                                "PYTORCH_LIBRARY_PATH",
                                folder.toString())));
    }

    private Finding finding(String subject, Map<String, String> environment) {
        ConfigLoader loader =
                new ConfigLoader(environment, folder)
                        .with("moderation.models-dir", folder.toString());
        return new ToolChecks(
                        loader.load(),
                        environment,
                        ToolChecksTest::noBrowser,
                        new GpuChecks.Tested(
                                new HostFacts.Gpus(List.of(), "no NVIDIA card"),
                                () -> {
                                    throw new AssertionError("encoders were tested");
                                },
                                () -> false))
                .run().stream()
                        .filter(finding -> finding.subject().equals(subject))
                        .findFirst()
                        .orElseThrow();
    }

    private static BrowserFacts noBrowser(OverlayConfig config) {
        throw new DevToolsException("none here: " + config.runAs());
    }
}
