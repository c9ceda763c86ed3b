package touchline.benchmarks.inference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import touchline.config.ModerationConfig;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.VideoFrame;
import touchline.moderation.Detector;
import touchline.moderation.djl.DjlLoader;
import touchline.moderation.torchscript.TorchScriptFile;

final class RandomNetsTest {
    private static final Path RESOURCES =
            Path.of("src/main/resources/touchline/benchmarks/inference");
    private static final int CLASSES = 2;

    /** Channels of the input, then of each layer, which halves both sides. */
    private static final int[] CHANNELS = {3, 32, 64, 128, 256, 512};

    /** Weights repeat after this many, so that the files compress to some KB; a prime. */
    private static final int PERIOD = 1_021;

    @TempDir Path folder;

    /** With {@code -Dtouchline.models=rewrite} the files are generated again. */
    @ParameterizedTest
    @EnumSource(RandomNets.class)
    void shippedNet_isWhatTheGeneratorWrites(RandomNets net) throws IOException {
        byte[] generated = generate(net);
        if (System.getProperty("touchline.models", "").equals("rewrite")) {
            Path file = RESOURCES.resolve(net.resource());
            try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
                out.write(generated);
            }
        }

        assertArrayEquals(generated, net.torchScript());
    }

    @ParameterizedTest
    @EnumSource(RandomNets.class)
    void net_detectsInAFrame(RandomNets net) throws IOException {
        DjlLoader loader = new DjlLoader(ModerationConfig.of(folder, false, "cpu"));
        try (Detector detector = loader.load(net.write(folder));
                VideoFrame frame = VideoFrame.allocate(new FrameFormat(64, 36, Colour.BT709))) {
            assertEquals(1, detector.detect(List.of(frame)).size());
        }
    }

    private static byte[] generate(RandomNets net) {
        Random random = new Random(5);
        boolean classifier = net == RandomNets.CLASSIFIER;
        StringBuilder forward = new StringBuilder();
        int layers = CHANNELS.length - 1;
        for (int i = 0; i < layers; i++) {
            forward.append("x%d = torch.relu(".formatted(i + 1))
                    .append(convolution("x" + (i == 0 ? "" : i), "w" + i, /* stride= */ 2))
                    .append(")\n");
        }
        if (classifier) {
            forward.append("means = torch.mean(x%d, [2, 3])\n".formatted(layers));
            forward.append("return torch.matmul(means, self.head)\n");
        } else {
            // Boxes as they are, scores through a sigmoid.
            forward.append("y = ").append(convolution("x" + layers, "head", 1)).append('\n');
            forward.append("z = torch.sigmoid(torch.flatten(y, 2))\n");
            forward.append("return torch.mul(z, self.scale)\n");
        }
        TorchScriptFile file = new TorchScriptFile("RandomNet", forward.toString());
        for (int i = 0; i < layers; i++) {
            int[] shape = {CHANNELS[i + 1], CHANNELS[i], 3, 3};
            file = file.tensor("w" + i, shape, weights(random, shape));
        }
        int[] head =
                classifier
                        ? new int[] {CHANNELS[layers], CLASSES}
                        : new int[] {4 + CLASSES, CHANNELS[layers], 3, 3};
        file = file.tensor("head", head, weights(random, head));
        if (!classifier) {
            float[] scale = {net.side(), net.side(), 100, 100, 1, 1};
            file = file.tensor("scale", new int[] {1, 4 + CLASSES, 1}, scale);
        }
        return file.toBytes();
    }

    private static String convolution(String input, String weights, int stride) {
        return "torch.conv2d(%s, self.%s, None, [%d, %d], [1, 1], [1, 1], 1)"
                .formatted(input, weights, stride, stride);
    }

    /** With this deviation, values keep their size from layer to layer. */
    private static float[] weights(Random random, int[] shape) {
        int count = 1;
        for (int each : shape) {
            count *= each;
        }
        double deviation = Math.sqrt(2.0 * shape[0] / count);
        float[] weights = new float[count];
        for (int i = 0; i < count; i++) {
            weights[i] =
                    i < PERIOD ? (float) (random.nextGaussian() * deviation) : weights[i - PERIOD];
        }
        return weights;
    }
}
