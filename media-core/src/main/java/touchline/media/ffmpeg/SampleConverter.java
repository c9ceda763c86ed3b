package touchline.media.ffmpeg;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.global.avutil;
import org.bytedeco.ffmpeg.global.swscale;
import org.bytedeco.ffmpeg.swscale.SwsContext;
import org.bytedeco.ffmpeg.swscale.SwsFilter;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;
import org.jspecify.annotations.Nullable;
import touchline.media.FrameView;

/** One swscale context with its small native argument arrays, allocated once. One owner thread. */
final class SampleConverter implements AutoCloseable {
    private static final int MAX_PLANES = 4;
    private static final int NEUTRAL = 1 << 16;

    private final SwsContext context;
    private final int sourceRows;
    private final PointerPointer<Pointer> sourcePlanes = new PointerPointer<>(MAX_PLANES);
    private final PointerPointer<Pointer> targetPlanes = new PointerPointer<>(MAX_PLANES);
    private final IntPointer sourceStrides = new IntPointer(MAX_PLANES);
    private final IntPointer targetStrides = new IntPointer(MAX_PLANES);
    private boolean closed;

    /** Output format: size and colours, and FFmpeg's number of the pixel format. */
    record Target(FrameFormat format, int pixelFormat) {}

    private SampleConverter(SwsContext context, int sourceRows) {
        this.context = context;
        this.sourceRows = sourceRows;
    }

    /** Opens a converter from YUV 4:2:0, 8 bits per sample. */
    static SampleConverter open(FrameFormat source, Target target) {
        return open(source, avutil.AV_PIX_FMT_YUV420P, target);
    }

    /** Opens a converter from any pixel format of FFmpeg. */
    static SampleConverter open(FrameFormat source, int sourcePixelFormat, Target target) {
        Ffmpeg.load();
        FrameFormat wanted = target.format();
        SwsContext context = swscale.sws_alloc_context();
        if (context == null) {
            throw Ffmpeg.missing("sws_alloc_context");
        }
        int sourceRange = source.colour().fullRange() ? 1 : 0;
        int wantedRange = wanted.colour().fullRange() ? 1 : 0;
        context.src_w(source.width()).src_h(source.height()).src_format(sourcePixelFormat);
        context.dst_w(wanted.width()).dst_h(wanted.height()).dst_format(target.pixelFormat());
        // Set before init: if only the range differs, swscale would otherwise choose to copy.
        context.src_range(sourceRange).dst_range(wantedRange).flags(filter(source, wanted));
        int code = swscale.sws_init_context(context, (SwsFilter) null, (SwsFilter) null);
        if (code < 0) {
            swscale.sws_freeContext(context);
        }
        Ffmpeg.check(code, "sws_init_context");
        // Fails only for formats without luma, which need no setting.
        swscale.sws_setColorspaceDetails(
                context,
                coefficients(source),
                sourceRange,
                coefficients(wanted),
                wantedRange,
                0,
                NEUTRAL,
                NEUTRAL);
        return new SampleConverter(context, source.height());
    }

    void checkSource(FrameFormat source, FrameView view) {
        if (closed) {
            throw new IllegalStateException("scaler is closed");
        }
        if (view.width() != source.width() || view.height() != source.height()) {
            throw new IllegalArgumentException(
                    "frame: %dx%d (expected: %dx%d)"
                            .formatted(
                                    view.width(), view.height(), source.width(), source.height()));
        }
    }

    void target(List<? extends Pointer> planes, int[] strides) {
        for (int i = 0; i < strides.length; i++) {
            targetPlanes.put(i, planes.get(i));
            targetStrides.put(i, strides[i]);
        }
    }

    /** As above with raw addresses, which the caller keeps valid until the conversion ends. */
    void target(long[] addresses, int strideBytes) {
        for (int i = 0; i < addresses.length; i++) {
            targetPlanes.put(i, new Address(addresses[i]));
            targetStrides.put(i, strideBytes);
        }
    }

    /** Converts a view; heap planes are copied to native memory for the call. */
    void convert(FrameView view) {
        try (Arena scratch = Arena.ofConfined()) {
            for (int i = 0; i < view.planes().size(); i++) {
                FrameView.Plane plane = view.planes().get(i);
                MemorySegment samples = plane.samples();
                if (!samples.isNative()) {
                    samples = scratch.allocate(samples.byteSize(), 64).copyFrom(samples);
                }
                sourcePlanes.put(i, new Address(samples.address()));
                sourceStrides.put(i, plane.strideBytes());
            }
            run();
        }
    }

    /** Converts a borrowed frame, which must have the size and pixel format of the source. */
    void convert(AVFrame frame) {
        for (int i = 0; i < MAX_PLANES; i++) {
            Pointer plane = frame.data(i);
            sourcePlanes.put(i, plane);
            sourceStrides.put(i, frame.linesize(i));
        }
        run();
    }

    boolean isClosed() {
        return closed;
    }

    private void run() {
        Ffmpeg.check(
                swscale.sws_scale(
                        context,
                        sourcePlanes,
                        sourceStrides,
                        0,
                        sourceRows,
                        targetPlanes,
                        targetStrides),
                "sws_scale");
    }

    /**
     * Returns area averaging for a smaller size, bicubic for a larger one, the fastest for the
     * same.
     */
    private static int filter(FrameFormat source, FrameFormat target) {
        if (source.width() == target.width() && source.height() == target.height()) {
            return swscale.SWS_BILINEAR | swscale.SWS_ACCURATE_RND;
        }
        boolean shrinks = target.width() <= source.width() && target.height() <= source.height();
        return shrinks ? swscale.SWS_AREA : swscale.SWS_BICUBIC;
    }

    private static IntPointer coefficients(FrameFormat format) {
        return swscale.sws_getCoefficients(
                format.colour().isBt709(format.height())
                        ? swscale.SWS_CS_ITU709
                        : swscale.SWS_CS_ITU601);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        targetStrides.close();
        sourceStrides.close();
        targetPlanes.close();
        sourcePlanes.close();
        swscale.sws_freeContext(context);
    }

    /** A raw address that JavaCPP neither owns nor frees. */
    private static final class Address extends Pointer {
        Address(long value) {
            super((@Nullable Pointer) null);
            this.address = value;
        }
    }
}
