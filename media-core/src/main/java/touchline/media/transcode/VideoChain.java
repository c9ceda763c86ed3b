package touchline.media.transcode;

import java.util.ArrayList;
import java.util.List;
import touchline.media.file.SourceVideo;

/**
 * Builds the libavfilter chain between decoder and encoder. It rotates frames upright,
 * deinterlaces, scales, and converts HDR to BT.709. Stateless.
 */
final class VideoChain {
    private VideoChain() {}

    /**
     * @param width of the input frames, which may differ from the source's first frame
     * @param height of the input frames
     */
    static String of(
            SourceVideo source, TranscodePlan.RenditionSettings settings, int width, int height) {
        List<String> filters = new ArrayList<>();
        if (source.interlaced()) {
            filters.add("bwdif=mode=send_frame:deint=interlaced");
        }
        switch (source.rotationDegrees()) {
            case 90 -> filters.add("transpose=clock");
            case 180 -> filters.add("hflip,vflip");
            case 270 -> filters.add("transpose=cclock");
            default -> {}
        }
        filters.add(scale(source, settings, width, height));
        if (source.transfer() != SourceVideo.Transfer.SDR) {
            filters.add(toneMapping(source.transfer()));
        }
        filters.add("format=yuv420p");
        filters.add("setsar=1");
        return String.join(",", filters);
    }

    private static String scale(
            SourceVideo source, TranscodePlan.RenditionSettings settings, int width, int height) {
        String flags = ":flags=bicubic:out_range=tv";
        boolean asAtTheStart = width == source.width() && height == source.height();
        if (asAtTheStart) {
            return "scale=" + settings.width() + ":" + settings.height() + flags;
        }
        // The size changed during the stream: the frame is fitted into the first frame's size.
        double shownWidth = width * source.sampleAspect();
        double aspect = source.turned() ? height / shownWidth : shownWidth / height;
        int fitWidth = Math.min(settings.width(), even(settings.height() * aspect));
        int fitHeight = Math.min(settings.height(), even(fitWidth / aspect));
        return "scale=%d:%d%s,pad=%d:%d:(ow-iw)/2:(oh-ih)/2"
                .formatted(fitWidth, fitHeight, flags, settings.width(), settings.height());
    }

    private static int even(double length) {
        return Math.max(2, (int) Math.round(length / 2) * 2);
    }

    /** Tone mapping with Hable's curve; the reference white of SDR is 100 cd/m2 (BT.2408). */
    private static String toneMapping(SourceVideo.Transfer transfer) {
        String input = transfer == SourceVideo.Transfer.PQ ? "smpte2084" : "arib-std-b67";
        return "zscale=tin="
                + input
                + ":pin=2020:min=2020_ncl:rin=limited:t=linear:npl=100,format=gbrpf32le,"
                + "zscale=p=709,tonemap=tonemap=hable:desat=0,"
                + "zscale=t=709:m=709:r=limited";
    }
}
