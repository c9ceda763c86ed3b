package touchline.api.audit;

import java.nio.file.Path;
import java.util.concurrent.CompletionStage;
import touchline.api.domain.FrameContent;
import touchline.api.domain.FrameName;

/** Port: where evidence frames are kept beside the disk of the node that recorded them. */
public interface FrameHome {
    /** A record with an image was stored. Does not block; any thread. */
    void recorded();

    /**
     * Brings a frame that this disk lacks. Returns at once.
     *
     * @return a file with that content, which stays for at least half a minute; or {@link
     *     java.nio.file.NoSuchFileException} if the home does not have it, and {@link
     *     touchline.packager.hls.MediaAwayException} if it cannot be asked now
     */
    CompletionStage<Path> bring(FrameName frame, FrameContent content);
}
