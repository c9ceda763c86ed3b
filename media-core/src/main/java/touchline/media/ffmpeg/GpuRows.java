package touchline.media.ffmpeg;

import org.bytedeco.ffmpeg.avutil.AVFrame;
import org.bytedeco.ffmpeg.global.avutil;
import org.jspecify.annotations.Nullable;

/**
 * Rows of frames in the GPU's memory, copied to main memory and back: what the processor changes of
 * a frame, such as the rows of a scoreboard, not the whole frame. One owner thread.
 */
public final class GpuRows implements AutoCloseable {
    /** Names rows of a frame; it holds no frame between calls. */
    private final AVFrame window = avutil.av_frame_alloc();

    private @Nullable VideoFrame rows;
    private boolean closed;

    /**
     * Copies rows to main memory.
     *
     * @param frame in the GPU's memory, YUV 4:2:0 with 8 bits per sample; borrowed
     * @param firstRow of luma, even
     * @param count of luma rows, even, at least 2
     * @return as a frame of their own, owned by this object, valid until the next call
     * @throws FfmpegException the GPU fails
     */
    public VideoFrame read(VideoFrame frame, int firstRow, int count) {
        if (closed) {
            throw new IllegalStateException("rows are closed");
        }
        FrameFormat format =
                new FrameFormat(frame.format().width(), count, frame.format().colour());
        VideoFrame open = rows;
        if (open == null || !open.format().equals(format)) {
            closeRows();
            open = VideoFrame.allocate(format);
            rows = open;
        }
        copy(frame, firstRow, open, /* toGpu= */ false);
        return open;
    }

    /**
     * Copies rows back to the place that they came from.
     *
     * @param changed of {@link #read}
     * @param frame as there; no other reference to its samples exists
     */
    public void write(VideoFrame changed, VideoFrame frame, int firstRow) {
        copy(frame, firstRow, changed, /* toGpu= */ true);
    }

    private void copy(VideoFrame frame, int firstRow, VideoFrame some, boolean toGpu) {
        int count = some.format().height();
        if (frame.gpuFormat() != avutil.AV_PIX_FMT_YUV420P
                || firstRow < 0
                || firstRow % 2 != 0
                || count % 2 != 0
                || firstRow + count > frame.format().height()) {
            throw new IllegalArgumentException(
                    "rows: %d, %d of %s".formatted(firstRow, count, frame.format()));
        }
        Ffmpeg.check(avutil.av_frame_ref(window, frame.frame()), "av_frame_ref");
        try {
            for (int plane = 0; plane < 3; plane++) {
                long row = plane == 0 ? firstRow : firstRow / 2;
                window.data(plane, window.data(plane).getPointer(row * window.linesize(plane)));
            }
            window.height(count);
            AVFrame main = some.frame();
            Ffmpeg.check(
                    toGpu
                            ? avutil.av_hwframe_transfer_data(window, main, 0)
                            : avutil.av_hwframe_transfer_data(main, window, 0),
                    "av_hwframe_transfer_data");
        } finally {
            avutil.av_frame_unref(window);
        }
    }

    private void closeRows() {
        VideoFrame open = rows;
        rows = null;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        closeRows();
        avutil.av_frame_free(window);
    }
}
