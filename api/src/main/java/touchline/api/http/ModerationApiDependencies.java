package touchline.api.http;

import touchline.api.access.FrameLinks;
import touchline.api.audit.ModerationControl;
import touchline.moderation.Moderation;

/**
 * All borrowed.
 *
 * @param moderation the models
 * @param control the moderation of running sessions
 * @param links to evidence frames
 * @param storeScores stores what this server has of sampled frames, so that it can be read
 */
public record ModerationApiDependencies(
        Moderation moderation, ModerationControl control, FrameLinks links, Runnable storeScores) {}
