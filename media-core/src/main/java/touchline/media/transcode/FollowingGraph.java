package touchline.media.transcode;

import java.util.function.Supplier;
import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.avutil.AVRational;
import org.bytedeco.ffmpeg.global.avutil;
import org.jspecify.annotations.Nullable;
import touchline.media.ffmpeg.FilterGraph;

/**
 * A filter graph that follows its input: where frames change their format, the graph is drained and
 * another one made. One thread; native memory, freed by {@link #close}.
 */
final class FollowingGraph implements AutoCloseable {
    /** Takes what the graph makes. */
    @FunctionalInterface
    interface Output {
        /**
         * @param frame borrowed, may be changed
         * @param base time base of its time
         */
        void accept(AVFrame frame, AVRational base);
    }

    private final Output output;
    private final AVFrame filtered = avutil.av_frame_alloc();

    private @Nullable FilterGraph graph;
    private String graphOf = "";

    FollowingGraph(Output output) {
        this.output = output;
    }

    /**
     * @param frame borrowed
     * @param format of the frame, as the graph's source names it
     * @param open makes a graph for this format
     */
    void push(AVFrame frame, String format, Supplier<FilterGraph> open) {
        FilterGraph current = graph;
        if (current == null || !format.equals(graphOf)) {
            drain();
            current = open.get();
            graph = current;
            graphOf = format;
        }
        current.push(frame);
        pullAll(current);
    }

    /** Passes what the graph has held back. A further frame begins another one. */
    void drain() {
        FilterGraph ending = graph;
        if (ending != null) {
            graph = null;
            try (ending) {
                ending.push(null);
                pullAll(ending);
            }
        }
    }

    private void pullAll(FilterGraph from) {
        while (from.pull(filtered)) {
            try {
                output.accept(filtered, from.timeBase());
            } finally {
                avutil.av_frame_unref(filtered);
            }
        }
    }

    @Override
    public void close() {
        if (graph != null) {
            graph.close();
            graph = null;
        }
        avutil.av_frame_free(filtered);
    }
}
