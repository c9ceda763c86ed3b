package touchline.media.ffmpeg;

import java.util.function.Function;
import org.bytedeco.ffmpeg.avfilter.AVBufferSrcParameters;
import org.bytedeco.ffmpeg.avfilter.AVFilterContext;
import org.bytedeco.ffmpeg.avfilter.AVFilterGraph;
import org.bytedeco.ffmpeg.avfilter.AVFilterInOut;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.avutil.AVRational;
import org.bytedeco.ffmpeg.global.avfilter;
import org.bytedeco.ffmpeg.global.avutil;
import org.bytedeco.javacpp.BytePointer;
import org.jspecify.annotations.Nullable;
import touchline.media.Timescale;

/**
 * A libavfilter chain with one source and one sink. Keeps the order of frames. One owner thread.
 */
public final class FilterGraph implements AutoCloseable {
    private final AVFilterGraph graph;
    private final AVFilterContext source;
    private final AVFilterContext sink;
    private boolean closed;

    private FilterGraph(AVFilterGraph graph, AVFilterContext source, AVFilterContext sink) {
        this.graph = graph;
        this.source = source;
        this.sink = sink;
    }

    /**
     * The caller closes it.
     *
     * @param sourceArguments arguments of the {@code buffer} filter
     */
    public static FilterGraph video(String sourceArguments, String chain, int threads) {
        return open("buffer", sourceArguments, chain, threads);
    }

    /**
     * The caller closes it.
     *
     * @param sourceArguments arguments of the {@code abuffer} filter
     * @param frameSize samples in each output frame, except the last
     */
    public static FilterGraph audio(String sourceArguments, String chain, int frameSize) {
        FilterGraph opened = open("abuffer", sourceArguments, chain, /* threads= */ 1);
        avfilter.av_buffersink_set_frame_size(opened.sink, frameSize);
        return opened;
    }

    /**
     * For frames in the GPU's memory. The caller closes it.
     *
     * @param like has the size and format of all frames; borrowed
     * @param matrix FFmpeg's number of their colour matrix
     * @param range likewise of their range
     */
    static FilterGraph gpu(AVFrame like, int matrix, int range, String chain) {
        return open(
                graph -> gpuSource(graph, like, matrix, range),
                "buffersink",
                chain,
                /* threads= */ 1);
    }

    private static AVFilterContext gpuSource(
            AVFilterGraph graph, AVFrame like, int matrix, int range) {
        AVFilterContext source =
                avfilter.avfilter_graph_alloc_filter(
                        graph, avfilter.avfilter_get_by_name("buffer"), "in");
        AVBufferSrcParameters parameters = avfilter.av_buffersrc_parameters_alloc();
        try (AVRational ticks = new AVRational()) {
            parameters.format(like.format()).width(like.width()).height(like.height());
            parameters.time_base(ticks.num(1).den(Timescale.VIDEO.ticksPerSecond()));
            parameters.hw_frames_ctx(like.hw_frames_ctx());
            parameters.color_space(matrix).color_range(range);
            Ffmpeg.check(
                    avfilter.av_buffersrc_parameters_set(source, parameters),
                    "av_buffersrc_parameters_set");
        } finally {
            avutil.av_free(parameters);
        }
        Ffmpeg.check(avfilter.avfilter_init_str(source, (String) null), "avfilter_init_str buffer");
        return source;
    }

    private static FilterGraph open(String kind, String arguments, String chain, int threads) {
        return open(graph -> create(graph, kind, "in", arguments), kind + "sink", chain, threads);
    }

    private static FilterGraph open(
            Function<AVFilterGraph, AVFilterContext> sourceOf,
            String sinkKind,
            String chain,
            int threads) {
        Ffmpeg.load();
        AVFilterGraph graph = avfilter.avfilter_graph_alloc();
        try {
            graph.nb_threads(threads);
            AVFilterContext source = sourceOf.apply(graph);
            AVFilterContext sink = create(graph, sinkKind, "out", null);
            link(graph, source, sink, chain);
            Ffmpeg.check(avfilter.avfilter_graph_config(graph, null), "avfilter_graph_config");
            return new FilterGraph(graph, source, sink);
        } catch (RuntimeException e) {
            avfilter.avfilter_graph_free(graph);
            throw e;
        }
    }

    private static AVFilterContext create(
            AVFilterGraph graph, String kind, String name, @Nullable String arguments) {
        AVFilterContext context = new AVFilterContext(null);
        Ffmpeg.check(
                avfilter.avfilter_graph_create_filter(
                        context, avfilter.avfilter_get_by_name(kind), name, arguments, null, graph),
                "avfilter_graph_create_filter " + kind);
        return context;
    }

    private static void link(
            AVFilterGraph graph, AVFilterContext source, AVFilterContext sink, String chain) {
        // Names are from the chain's side: its input is the source's output.
        AVFilterInOut outputs = end("in", source);
        AVFilterInOut inputs = end("out", sink);
        int code =
                avfilter.avfilter_graph_parse_ptr(
                        graph, "[in]" + chain + "[out]", inputs, outputs, null);
        avfilter.avfilter_inout_free(inputs);
        avfilter.avfilter_inout_free(outputs);
        Ffmpeg.check(code, "avfilter_graph_parse_ptr");
    }

    private static AVFilterInOut end(String name, AVFilterContext filter) {
        AVFilterInOut end = avfilter.avfilter_inout_alloc();
        // FFmpeg frees the name.
        return end.name(new BytePointer(avutil.av_strdup(new BytePointer(name))))
                .filter_ctx(filter)
                .pad_idx(0)
                .next(null);
    }

    /** Whether this build of FFmpeg has a filter. */
    static boolean has(String filter) {
        Ffmpeg.load();
        return avfilter.avfilter_get_by_name(filter) != null;
    }

    /** Sends a frame, which the caller keeps; null ends the stream. */
    public void push(@Nullable AVFrame frame) {
        Ffmpeg.check(
                avfilter.av_buffersrc_add_frame_flags(
                        source, frame, avfilter.AV_BUFFERSRC_FLAG_KEEP_REF),
                "av_buffersrc_add_frame_flags");
    }

    /** Fills an empty frame; false if none is ready or the stream has ended. */
    public boolean pull(AVFrame into) {
        int code = avfilter.av_buffersink_get_frame(sink, into);
        if (code == Ffmpeg.AGAIN || code == avutil.AVERROR_EOF()) {
            return false;
        }
        Ffmpeg.check(code, "av_buffersink_get_frame");
        return true;
    }

    /** Returns the time base of output frames. */
    public AVRational timeBase() {
        return avfilter.av_buffersink_get_time_base(sink);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        avfilter.avfilter_graph_free(graph);
    }
}
