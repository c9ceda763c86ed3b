package touchline.moderation.torchscript;

import java.util.Locale;
import touchline.moderation.DemoModels;

/** Generates the TorchScript files of the demo models. */
public final class DemoModelScripts {
    private DemoModelScripts() {}

    /** Content of the model's {@code model.pt}. */
    public static byte[] of(DemoModels model) {
        return switch (model) {
            case NUDE -> script("magenta", /* darkPlane= */ 1);
            case WEAPON -> script("cyan", /* darkPlane= */ 0);
        };
    }

    /**
     * {@code [N, 3, H, W]} to {@code [N, 5, 1]}: one box and its score, {@code 1 - exp(-100 share)}
     * of the colour's share of the frame: 0 without it, 0.63 at 1 %, 0.98 at 4 %. Rows and columns
     * with less than a twentieth of the fullest one's pixels do not extend the box.
     *
     * @param darkPlane index among R, G, B of the dark plane; the other two are bright
     */
    private static byte[] script(String colour, int darkPlane) {
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

    /** Start of the first column (or row) with enough of the colour, end of the last one. */
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
}
