package touchline.api.http;

import touchline.api.access.FrameLinks;
import touchline.api.session.ModerationControl;

/**
 * What the control API's moderation part stands on.
 *
 * @param models which alert types models serve
 * @param control the moderation of running sessions
 * @param links to evidence frames
 * @param rejectCutoff share of the way from a threshold to 1 above which is reject
 */
public record ModerationRooms(
        ModerationModels models,
        ModerationControl control,
        FrameLinks links,
        double rejectCutoff) {}
