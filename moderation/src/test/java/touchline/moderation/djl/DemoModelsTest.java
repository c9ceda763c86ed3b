package touchline.moderation.djl;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import touchline.config.ModerationConfig;
import touchline.media.ffmpeg.VideoFrame;
import touchline.moderation.AlertType;
import touchline.moderation.Box;
import touchline.moderation.DemoModels;
import touchline.moderation.Detection;
import touchline.moderation.Detector;
import touchline.moderation.ModelSpecReader;
import touchline.moderation.Painted;
import touchline.moderation.Painted.Paint;
import touchline.moderation.torchscript.DemoModelScripts;

/**
 * The demo models' confidence is below 0.05 without their colour and above 0.9 from 4 % of the
 * frame on. Boxes are exact to 2 % of the frame.
 */
final class DemoModelsTest {
    private static final Path SHIPPED = Path.of("../config/models");
    private static final Path RESOURCES = Path.of("src/main/resources/touchline/moderation");

    @TempDir Path folder;

    private Detector weapon;
    private Detector nude;

    @BeforeEach
    void load() {
        DjlLoader loader = new DjlLoader(ModerationConfig.of(folder, true, "cpu"));
        weapon = loader.load(ModelSpecReader.read(DemoModels.WEAPON.write(folder)));
        nude = loader.load(ModelSpecReader.read(DemoModels.NUDE.write(folder)));
    }

    @AfterEach
    void close() {
        weapon.close();
        nude.close();
    }

    /** With {@code -Dtouchline.models=rewrite} the files are generated again. */
    @ParameterizedTest
    @EnumSource(DemoModels.class)
    void shippedModel_isWhatTheGeneratorWrites(DemoModels model) throws IOException {
        byte[] generated = DemoModelScripts.of(model);
        if (System.getProperty("touchline.models", "").equals("rewrite")) {
            Files.write(RESOURCES.resolve(model.folder()).resolve("model.pt"), generated);
            Files.write(SHIPPED.resolve(model.folder()).resolve("model.pt"), generated);
        }
        Path written = model.write(folder);

        assertArrayEquals(generated, Files.readAllBytes(written.resolve("model.pt")));
        for (String file : List.of("model.pt", "model.yaml")) {
            assertArrayEquals(
                    Files.readAllBytes(written.resolve(file)),
                    Files.readAllBytes(SHIPPED.resolve(model.folder()).resolve(file)),
                    file);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1280, 720, 0.3, 0.4, 0.2, 0.2",
        "1280, 720, 0, 0, 1, 0.04",
        "1920, 1080, 0.96, 0, 0.04, 1",
        "640, 360, 0.25, 0.125, 0.5, 0.75",
        "4096, 2160, 0.7, 0.7, 0.2, 0.2",
        "320, 240, 0, 0.8, 0.2, 0.2",
        "16, 16, 0.25, 0.25, 0.5, 0.5",
        "720, 1280, 0.1, 0.6, 0.4, 0.1"
    })
    void patternOfFourPercentOrMore_isBoxed(
            int width, int height, double x, double y, double w, double h) {
        Box box = new Box(x, y, w, h);
        try (VideoFrame cyan = Painted.with(width, height, Paint.CYAN, box);
                VideoFrame magenta = Painted.with(width, height, Paint.MAGENTA, box)) {
            assertFound(weapon, AlertType.WEAPON, cyan, box);
            assertFound(nude, AlertType.NUDE, magenta, box);
            assertAbsent(nude, cyan);
            assertAbsent(weapon, magenta);
        }
    }

    @Test
    void greyFrame_hasNoDetection() {
        try (VideoFrame grey = Painted.grey(1280, 720)) {
            assertAbsent(nude, grey);
            assertAbsent(weapon, grey);
        }
    }

    private static void assertFound(
            Detector detector, AlertType type, VideoFrame frame, Box expected) {
        List<Detection> detections = detector.detect(List.of(frame)).getFirst();
        assertEquals(1, detections.size());
        Detection found = detections.getFirst();
        assertEquals(type, found.type());
        assertTrue(found.confidence() > 0.9, found.toString());
        // Chroma samples are two pixels wide: in a tiny frame that is more than 2 %.
        double allowed = Math.max(0.02, 2.0 / frame.format().height());
        assertEquals(expected.x(), found.box().x(), allowed, found.toString());
        assertEquals(expected.y(), found.box().y(), allowed, found.toString());
        assertEquals(expected.width(), found.box().width(), allowed, found.toString());
        assertEquals(expected.height(), found.box().height(), allowed, found.toString());
    }

    private static void assertAbsent(Detector detector, VideoFrame frame) {
        Detection only = detector.detect(List.of(frame)).getFirst().getFirst();
        assertTrue(only.confidence() < 0.05, only.toString());
        assertEquals(Box.NONE, only.box());
    }
}
