package touchline.media.ffmpeg;

import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.global.avutil;
import org.jspecify.annotations.Nullable;

/**
 * Copies frames from the GPU's memory to main memory, as YUV 4:2:0 with 8 bits per sample. The GPU
 * converts; the processor only receives the bytes. Holds nothing native before the first frame. One
 * owner thread.
 */
final class GpuDownload implements AutoCloseable {
    private static final String CHAIN =
            "scale_cuda=format=yuv420p,hwdownload,format=pix_fmts=yuv420p";

    private @Nullable FilterGraph graph;
    private @Nullable FrameFormat format;
    private int pixelFormat;
    private boolean closed;

    /**
     * Returns a copy with the same time, which the caller closes.
     *
     * @param frame in the GPU's memory, borrowed
     * @throws FfmpegException the GPU fails
     */
    VideoFrame of(VideoFrame frame) {
        if (closed) {
            throw new IllegalStateException("download is closed");
        }
        FilterGraph open = graph;
        if (open == null || !frame.format().equals(format) || frame.gpuFormat() != pixelFormat) {
            closeGraph();
            AVFrame like = frame.frame();
            open = FilterGraph.gpu(like, like.colorspace(), like.color_range(), CHAIN);
            graph = open;
            format = frame.format();
            pixelFormat = frame.gpuFormat();
        }
        open.push(frame.frame());
        AVFrame out = avutil.av_frame_alloc();
        try {
            if (!open.pull(out)) {
                throw new IllegalStateException("the filter returned no frame");
            }
            return VideoFrame.moved(out, frame.format().colour(), frame.ptsTicks());
        } finally {
            avutil.av_frame_free(out);
        }
    }

    private void closeGraph() {
        FilterGraph open = graph;
        graph = null;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public void close() {
        closed = true;
        closeGraph();
    }
}
