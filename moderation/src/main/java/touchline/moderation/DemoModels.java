package touchline.moderation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import touchline.moderation.torchscript.TorchScriptFile;

/**
 * The two demo models: they box the region of one saturated colour, so that moderation can be seen
 * at work with a test pattern. Made here, TorchScript like any other; {@code config/models} holds
 * what {@link #write} makes. Stateless.
 */
public enum DemoModels {
    /** Magenta: green at most 80, red and blue at least 180 of 255. */
    NUDE(AlertType.NUDE, "magenta", /* darkPlane= */ 1),
    /** Cyan: red at most 80, green and blue at least 180 of 255. */
    WEAPON(AlertType.WEAPON, "cyan", /* darkPlane= */ 0);

    private static final int SIDE = 256;

    private final AlertType type;
    private final String colour;

    /** Of R, G, B the one that is dark; the others are bright. */
    private final int darkPlane;

    DemoModels(AlertType type, String colour, int darkPlane) {
        this.type = type;
        this.colour = colour;
        this.darkPlane = darkPlane;
    }

    /** The folder's name. */
    public String folder() {
        return "demo-" + type.wireName();
    }

    public static List<String> folders() {
        return Arrays.stream(values()).map(DemoModels::folder).toList();
    }

    /** Writes the model's folder below another; files that are there are replaced. */
    public Path write(Path parent) {
        Path folder = parent.resolve(folder());
        try {
            Files.createDirectories(folder);
            Files.write(folder.resolve("model.pt"), torchScript());
            Files.writeString(folder.resolve(ModelSpecReader.FILE), spec());
        } catch (IOException e) {
            throw new UncheckedIOException(folder + ": cannot be written", e);
        }
        return folder;
    }

    /**
     * {@code [N, 3, H, W]} to {@code [N, 5, 1]}: one box and its score, {@code 1 - exp(-100 share)}
     * of the colour's share of the frame: 0 where it is absent, 0.63 at 1 %, 0.98 at 4 %. Rows and
     * columns with less than a twentieth of the fullest one's pixels do not widen the box.
     */
    byte[] torchScript() {
        String forward =
                """
                dark = torch.le(torch.select(x, 1, %d), 0.3157)
                one = torch.ge(torch.select(x, 1, %d), 0.7039)
                other = torch.ge(torch.select(x, 1, %d), 0.7039)
                mask = torch.to(torch.logical_and(dark, torch.logical_and(one, other)), 6)
                score = torch.rsub(torch.exp(torch.mul(torch.mean(mask, [1, 2]), -100.)), 1)
                columns = torch.sum(mask, [1])
                rows = torch.sum(mask, [2])
                %s%sw = torch.clamp(torch.sub(right, left), 0.)
                h = torch.clamp(torch.sub(bottom, top), 0.)
                cx = torch.mul(torch.add(left, right), 0.5)
                cy = torch.mul(torch.add(top, bottom), 0.5)
                return torch.unsqueeze(torch.stack([cx, cy, w, h, score], 1), 2)
                """
                        .formatted(
                                darkPlane,
                                (darkPlane + 1) % 3,
                                (darkPlane + 2) % 3,
                                ends("columns", "left", "right"),
                                ends("rows", "top", "bottom"));
        String name =
                "Demo" + colour.substring(0, 1).toUpperCase(Locale.ROOT) + colour.substring(1);
        return new TorchScriptFile(name, forward).toBytes();
    }

    /** Where the first column (or row) with enough of the colour begins, and the last one ends. */
    private static String ends(String counts, String first, String last) {
        return """
        {0}_min = torch.clamp(torch.mul(torch.amax({0}, [1], True), 0.05), 1.5)
        {0}_is = torch.to(torch.ge({0}, {0}_min), 6)
        {0}_end = torch.cumsum(torch.ones_like({0}), 1)
        {2} = torch.amax(torch.mul({0}_end, {0}_is), [1])
        {0}_far = torch.mul(torch.rsub({0}_is, 1), 1000000.)
        {1} = torch.amin(torch.sub(torch.add({0}_end, {0}_far), 1), [1])
        """
                .replace("{0}", counts)
                .replace("{1}", first)
                .replace("{2}", last);
    }

    private String spec() {
        return """
        # A demonstration, no moderation: boxes the region of saturated %1$s and knows nothing else.
        # Used only with moderation.demo-models. Made by touchline.moderation.DemoModels.
        description: demo model, finds saturated %1$s
        licence: Apache-2.0
        demo: true
        task: detector
        file: model.pt
        input:
          width: %2$d
          height: %2$d
          resize: stretch
        output:
          layout: yolov8
        classes: [%1$s]
        alerts:
          %3$s: [%1$s]
        """
                .formatted(colour, SIDE, type.wireName());
    }
}
