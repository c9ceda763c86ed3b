package touchline.moderation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ModelSpecReaderTest {
    private static final String DETECTOR =
            """
            description: finds things
            licence: AGPL-3.0
            demo: false
            task: detector
            file: best.torchscript
            input:
              width: 640
              height: 384
              resize: stretch
              mean: [0.1, 0.2, 0.3]
              std: [0.5, 0.5, 0.5]
              max-batch: 1
            output:
              layout: end-to-end
              nms-overlap: 0.6
            classes: [person, gun, knife]
            alerts:
              weapon: [gun, knife]
            """;

    @TempDir Path folder;

    @Test
    void everyKey_isRead() {
        ModelSpec expected =
                new ModelSpec(
                        "AGPL-3.0",
                        false,
                        "best.torchscript",
                        new ModelSpec.Input(
                                640,
                                384,
                                ModelSpec.Resize.STRETCH,
                                List.of(0.1, 0.2, 0.3),
                                List.of(0.5, 0.5, 0.5),
                                1),
                        new ModelSpec.Output.Boxes(ModelSpec.Layout.END_TO_END, 0.6),
                        List.of("person", "gun", "knife"),
                        Map.of(AlertType.WEAPON, Set.of(1, 2)),
                        "finds things");

        assertEquals(expected, ModelSpecReader.parse(DETECTOR));
    }

    @Test
    void minimalFile_hasDefaults() {
        ModelSpec spec =
                ModelSpecReader.parse(
                        """
                        licence: MIT
                        task: classifier
                        input: {width: 224, height: 224}
                        classes: [normal, nsfw]
                        alerts: {nude: [nsfw]}
                        """);

        assertEquals("model.pt", spec.file());
        assertEquals(ModelSpec.Resize.LETTERBOX, spec.input().resize());
        assertEquals(List.of(0.0, 0.0, 0.0), spec.input().mean());
        assertEquals(List.of(1.0, 1.0, 1.0), spec.input().std());
        assertEquals(new ModelSpec.Output.Classifier(ModelSpec.Activation.SOFTMAX), spec.output());
        assertEquals(Set.of(AlertType.NUDE), spec.serves());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "licence: AGPL-3.0 | license: AGPL-3.0 | licence: missing",
                "licence: AGPL-3.0 | license: AGPL-3.0 | license: unknown key",
                "task: detector | task: segmenter | task: \"segmenter\" (expected: classifier or",
                "demo: false | demo: maybe | demo: \"maybe\" (expected: true or false)",
                "file: best.torchscript | file: ../../etc/passwd | file: \"../../etc/passwd\"",
                "width: 640 | width: 8 | input.width: 8 (expected: 16 to 4096)",
                "width: 640 | width: '640' | input.width: \"640\" (expected: 16 to 4096)",
                "width: 640 | widht: 640 | input.widht: unknown key",
                "resize: stretch | resize: crop | input.resize: \"crop\" (expected: letterbox, stretch)",
                "std: [0.5, 0.5, 0.5] | std: [0, 1, 1] | input.std: [0,1,1] (expected: three numbers",
                "std: [0.5, 0.5, 0.5] | std: 0.5 | input.std: 0.5 (expected: three numbers",
                "mean: [0.1, 0.2, 0.3] | mean: [2, 0, 0] | input.mean: [2,0,0] (expected: three",
                "max-batch: 1 | max-batch: 0 | input.max-batch: 0 (expected: 1 to 256)",
                "layout: end-to-end | layout: ssd | output.layout: \"ssd\" (expected: yolov8, yolov5, end-to-end)",
                "layout: end-to-end | activation: softmax | output.activation: unknown key",
                "nms-overlap: 0.6 | nms-overlap: 1.1 | output.nms-overlap: 1.1 (expected: 0.0 to 1.0)",
                "[person, gun, knife] | [gun, gun, knife] | classes: [\"gun\",\"gun\",\"knife\"] (expected: a list",
                "[gun, knife] | [rifle] | alerts.weapon: 'rifle' is not among the classes",
                "weapon: | weapons: | alerts.weapons: unknown key",
                "weapon: | weapons: | alerts.nude: missing, as is weapon",
                "task: detector | task: [ | not a YAML mapping, line",
                "demo: false | licence: MIT | not a YAML mapping, line",
            })
    void invalidKey_isNamed(String part, String other, String message) {
        DetectorException failure =
                assertThrows(
                        DetectorException.class,
                        () -> ModelSpecReader.parse(DETECTOR.replace(part, other)));

        assertTrue(failure.reason().startsWith("model.yaml: "), failure.reason());
        assertTrue(failure.reason().contains(message), failure.reason());
    }

    @Test
    void textThatIsNotAMapping_isRejected() {
        for (String text : List.of("", "[]", "a", "- a: 1", "\u0000", "%YAML 9", "a: &x *x")) {
            assertThrows(DetectorException.class, () -> ModelSpecReader.parse(text), text);
        }
    }

    @Test
    void folderWithoutItsFiles_isRejected() throws IOException {
        assertMessage("model.yaml cannot be read (NoSuchFileException)");
        Files.writeString(folder.resolve("model.yaml"), DETECTOR);
        assertMessage("file: best.torchscript cannot be read in the folder");
        Files.writeString(folder.resolve("model.yaml"), "#".repeat(70_000));
        assertMessage("model.yaml: 70000 bytes (expected: <= 65536)");
    }

    private void assertMessage(String expected) {
        DetectorException failure =
                assertThrows(DetectorException.class, () -> ModelSpecReader.read(folder));
        assertEquals(expected, failure.reason());
    }
}
